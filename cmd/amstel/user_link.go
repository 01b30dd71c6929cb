package main

import (
	"context"
	"fmt"

	"amstel.dev/amstel/timeline"
)

type userLinkCmd struct {
	primary
	Name string `arg:"" help:"Name of the account."`
	URL  string `placeholder:"ADDRESS" help:"Public address of the site (the address of the last amstel serve in --data)."`
}

// linkPath is the path of a sign-in link, without the secret at its end. Package web serves it.
const linkPath = "/users/link/"

// Run prints a new sign-in link.
func (c *userLinkCmd) Run(ctx context.Context, to streams) error {
	site, err := siteAddress(c.URL, c.Data)
	if err != nil {
		return err
	}
	return c.withUser(ctx, to, c.Name, func(store *timeline.Store, user timeline.UserID) error {
		secret, err := store.NewLink(ctx, user)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(to.out, site+linkPath+secret)
		return err
	})
}
