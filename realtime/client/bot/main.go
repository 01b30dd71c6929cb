// Command bot answers each text that mentions its account, in a comment on the same post. The bot
// looks for its earlier answers on the server, so the program can be stopped and started at any time:
//
//	AMSTEL_TOKEN=… go run amstel.dev/amstel/realtime/client/bot https://amstel.example
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"

	"amstel.dev/amstel/realtime/client"
)

func main() {
	err := errors.New("usage: AMSTEL_TOKEN=… bot https://amstel.example")
	if len(os.Args) == 2 {
		err = run(context.Background(), os.Args[1], os.Getenv("AMSTEL_TOKEN"))
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func run(ctx context.Context, address, token string) error {
	site, err := client.New(address, token)
	if err != nil {
		return err
	}
	me, err := site.WhoAmI(ctx)
	if err != nil {
		return err
	}
	mention := regexp.MustCompile(`(?i)(^|[^\w-])@` + regexp.QuoteMeta(me.Name) + `($|[^\w-])`)
	fmt.Println(me.Name, "is listening")
	return site.Follow(ctx, "/filter/mentions", func(r *client.River, change client.Change) error {
		for _, e := range slices.Concat(change.Added, change.Changed) {
			if err := answer(ctx, site, me.ID, mention, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// answer writes a comment on an entry's post for each text there, the post's own or a comment's, that
// mentions the bot and has no answer yet.
func answer(ctx context.Context, site *client.Client, me int64, mention *regexp.Regexp, e client.Entry) error {
	thread, err := site.Timeline(ctx, e.URL)
	if err != nil || len(thread.Entries) == 0 || !thread.Entries[0].CanComment {
		return err
	}
	post := thread.Entries[0]
	said := append([]client.Comment{{ID: post.ID, UserID: post.UserID, Text: post.Text}}, post.Comments...)
	for i, s := range said {
		reply := fmt.Sprintf("@%s: at your service.", thread.Users[s.UserID].Name)
		answered := slices.ContainsFunc(said[i+1:], func(c client.Comment) bool { return c.UserID == me && c.Text == reply })
		if s.UserID == me || answered || !mention.MatchString(s.Text) {
			continue
		}
		if _, err := site.Comment(ctx, post.ID, reply, client.UUID(fmt.Sprint("answer to ", s.ID))); err != nil {
			return err
		}
		fmt.Println("answered", post.URL)
	}
	return nil
}
