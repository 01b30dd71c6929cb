package timeline

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"amstel.dev/amstel/internal/passkeytest"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline/query"
)

// TestEveryMethodAnswersUnavailableWhenItsConnectionIsLost calls every exported
// method of Store and Snapshot with the connection cut at each of the messages
// that the method sends.
func TestEveryMethodAnswersUnavailableWhenItsConnectionIsLost(t *testing.T) {
	long(t)
	t.Parallel()
	pool, cut := pgtest.CutPool(t)
	s := &site{Store: New(pool, Options{Argon: cheap, Mails: true}), t: t, people: make(map[string]UserID)}
	ctx := t.Context()
	for _, name := range []string{"anna", "bert", "carl", "dirk"} {
		s.must(s.SetPassword(ctx, s.add(name), "correct horse"))
	}
	_, err := s.db.Pool.Exec(ctx, `update users set email = name || '@example.org', email_confirmed_at = now(), mail_due_at = now()`)
	s.must(err)
	anna, bert := s.user("anna"), s.user("bert")
	group := s.group("anna", NewGroup{Name: "cooks", DisplayName: "Cooks"})
	post := s.post("anna")
	other, comment, second := s.post("anna"), s.comment("bert", post), s.comment("bert", post)
	feed, everything := s.feed(FeedName{Name: "anna"}).ID, s.everything()
	compiled := s.compile(s.snap(), "soup group:cooks")
	link := must(s.NewLink(ctx, anna))
	s.exec(`update users set admin = true where name = 'anna'`)
	s.must(s.SendReport(ctx, s.user("carl"), ReportDraft{Person: "bert", Reason: "soup"}))
	report := one[int64](s, `select id from reports`)
	s.passkeys = newPasskeySite(passkeyOrigin)
	phone := s.passkey("anna")

	// The arguments by the type of the parameter, for methods not in the list below.
	values := []any{
		ctx, anna, post, group, comment, ListID(1), "bert", FeedName{Name: "bert"}, time.Now(), 10, int64(1), true, time.Hour,
		&Sets{}, []PostID{post}, []UserID{anna}, []GroupID{group}, []TimelineID{feed}, []int64{1}, []string{"bert"}, []VisitWeek{WeekOf(anna, 0)},
		map[UserID]*Sets{anna: s.sets("anna")}, []What{WhatUser}, Top, query.Search{Words: []string{"soup"}, From: []string{"anna"}},
		func(context.Context) error { return nil }, []Matching{{Query: compiled, Viewer: anna}},
		NewPost{To: []string{"user"}, Text: "soup"}, NewComment{Text: "soup"}, NewGroup{Name: "chefs", DisplayName: "Chefs"},
		NewUser{Name: "dora", Email: "dora@example.org", Password: "correct horse"},
		PostEdit{Text: new("soup")}, GroupEdit{DisplayName: new("Soup")}, ProfileEdit{DisplayName: new("Soup")}, SiteEdit{"bump": "freefeed"},
		CommentEdit{Text: new("soup")}, FileName{}, AttachmentID(1), NewAttachment{FileName: "soup.jpg"}, Kept(func(context.Context, FileName) (bool, error) { return true, nil }),
		HiddenParts{Posts: true}, MutedParts{Likes: true}, map[NoticeKind]bool{NoticeLike: true},
		MailWish{Often: MailDaily},
	}
	const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"
	choose := func(c Choice) func(*Snapshot) error {
		return func(sn *Snapshot) error { _, err := sn.Choose(ctx, c, Top, 10); return err }
	}
	known := func(id TimelineID) (Timeline, bool) { return Timeline{ID: id, Access: AccessPublic}, true }
	many := map[TimelineID]bool{feed: true}
	for i := range TimelineID(lateralMost + 1) {
		many[1_000_000+i] = true
	}
	named := map[string][]func(*Snapshot) error{
		"Choose": {
			choose(Choice{Timelines: map[TimelineID]bool{feed: true}}), choose(Choice{Timelines: many}),
			choose(Choice{Timelines: many, Order: OrderCreated}), choose(Choice{Timelines: many, Order: OrderLifted, Known: known}),
			choose(Choice{Timelines: map[TimelineID]bool{everything: true}, Order: OrderRanked, Run: 1}),
			choose(Choice{Query: compiled, Sets: s.sets("anna"), Known: known}),
			choose(Choice{Query: s.compile(s.snap(), "soup")}),
		},
		"Log": {
			func(sn *Snapshot) error { _, err := sn.Log(ctx, 0, "", ""); return err },
			func(sn *Snapshot) error {
				log, err := sn.Log(ctx, 0, "", "")
				if err == nil {
					_, err = sn.Log(ctx, log.Head-1, "", log.Epoch)
				}
				return err
			},
		},
		"AudienceOfPost":   {func(*Snapshot) error { _, err := s.AudienceOfPost(ctx, anna, 0, []string{"user"}); return err }},
		"AudienceOfStatus": {func(*Snapshot) error { _, err := s.AudienceOfStatus(ctx, anna, "cooks", "private"); return err }},
		"AddIntake": {func(*Snapshot) error {
			_, err := s.AddIntake(ctx, anna, NewIntake{To: "user", Address: "https://blog.example/feed.atom"}, time.Minute)
			return err
		}},
		"DeleteAccount": {func(*Snapshot) error { return s.DeleteAccount(ctx, s.user("carl"), "correct horse") }},
		"DeletePost":    {func(*Snapshot) error { return s.DeletePost(ctx, anna, other) }},
		"DeleteComment": {func(*Snapshot) error { return s.DeleteComment(ctx, bert, post, second) }},
		"SendReport":    {func(*Snapshot) error { return s.SendReport(ctx, bert, ReportDraft{Post: post, Reason: "soup"}) }},
		"DecideReport": {func(*Snapshot) error {
			return s.DecideReport(ctx, anna, report, Decision{Act: ActWarn, Reason: "soup"})
		}},
		"Suspend":          {func(*Snapshot) error { return s.Suspend(ctx, s.user("dirk")) }},
		"SetPassword":      {func(*Snapshot) error { return s.SetPassword(ctx, bert, "correct horse") }},
		"SetEmail":         {func(*Snapshot) error { return s.SetEmail(ctx, bert, "bert@new.example") }},
		"UseLink":          {func(*Snapshot) error { _, err := s.UseLink(ctx, link, true, ""); return err }},
		"AcceptInvitation": {func(*Snapshot) error { return s.AcceptInvitation(ctx, anna, uuid) }},
		"EndInvitation":    {func(*Snapshot) error { return s.EndInvitation(ctx, anna, uuid) }},
		"Accept":           {func(*Snapshot) error { return s.Accept(ctx, anna, uuid) }},
		"Reject":           {func(*Snapshot) error { return s.Reject(ctx, anna, uuid) }},
		"Snapshot": {func(*Snapshot) error {
			sn, err := s.Snapshot(ctx)
			if err == nil {
				sn.Close()
			}
			return err
		}},
		"Close": {}, "SearchFor": {}, "Searched": {}, "TooBroad": {}, "Pool": {}, "Primary": {}, "Listen": {}, "ListenAccountJobs": {}, "ListenExports": {}, "ListenIntakes": {}, "ListenMails": {}, "Mails": {}, "ListenUploads": {}, "ListenPreviews": {}, // no SQL, or no error to answer
		"CountRequests":   {func(*Snapshot) error { _, err := s.CountRequests(ctx, 1, []RequestCount{{"token 1", 1}}); return err }},
		"CountedRequests": {func(*Snapshot) error { _, err := s.CountedRequests(ctx, 1, []string{"token 1"}); return err }},
		"Bearer":          {func(*Snapshot) error { _, err := s.Bearer(ctx, digest("secret")[:6]); return err }},
		"Announced":       {}, // retries until its context ends
		"AddPushReceiver": {func(*Snapshot) error {
			return s.AddPushReceiver(ctx, anna, digest("secret"), endpointAt("https://push.example/1"))
		}},
		"NoticeToPush": {func(*Snapshot) error {
			_, err := s.NoticeToPush(ctx, PushLease{User: anna, CreatedAt: s.db.Now()})
			return err
		}},
		"TakesPasskeys": {},
		"NoteBounce": {func(*Snapshot) error {
			return s.NoteBounce(ctx, "5d9f81c9-8eab-4d68-8140-c92599309f49", "", false)
		}},
		"BeginPasskey": {func(*Snapshot) error { _, err := s.BeginPasskey(ctx, bert, "phone"); return err }},
		"AddPasskey": {func(*Snapshot) error {
			options, err := s.BeginPasskey(ctx, bert, "phone")
			if err == nil {
				err = s.AddPasskey(ctx, bert, "phone", passkeytest.New(t, passkeyOrigin).Create(options))
			}
			return err
		}},
		"BeginPasskeySignIn": {func(*Snapshot) error {
			s.challenges.Store(nil) // as in a store that has not read the key yet
			_, err := s.BeginPasskeySignIn(ctx)
			return err
		}},
		"SignInByPasskey": {func(*Snapshot) error {
			options, err := s.BeginPasskeySignIn(ctx)
			if err == nil {
				_, err = s.SignInByPasskey(ctx, phone.Get(options), Client{}, true, "")
			}
			return err
		}},
		"StopMails": {func(*Snapshot) error { return s.StopMails(ctx, stopToken(nil, anna)) }},
	}

	of := func(receiver reflect.Type) (names []string) {
		for i := range receiver.NumMethod() {
			names = append(names, receiver.Method(i).Name)
		}
		return names
	}
	call := func(receiver reflect.Value, name string) error {
		m := receiver.MethodByName(name)
		var args []reflect.Value
		for i := range m.Type().NumIn() {
			in, found := m.Type().In(i), false
			for _, v := range values {
				if found = reflect.TypeOf(v) == in || in.Kind() == reflect.Interface && reflect.TypeOf(v).Implements(in); found {
					args = append(args, reflect.ValueOf(v))
					break
				}
			}
			if !found {
				args = append(args, reflect.Zero(in))
			}
		}
		var out []reflect.Value
		if m.Type().IsVariadic() {
			out = m.CallSlice(args)
		} else {
			out = m.Call(args)
		}
		err, _ := out[len(out)-1].Interface().(error)
		return err
	}
	for receiver, names := range map[string][]string{
		"Store": of(reflect.TypeFor[*Store]()), "Snapshot": of(reflect.TypeFor[*Snapshot]()),
	} {
		for _, name := range names {
			runs, is := named[name]
			if !is {
				runs = append(runs, func(sn *Snapshot) error {
					if receiver == "Store" {
						return call(reflect.ValueOf(s.Store), name)
					}
					return call(reflect.ValueOf(sn), name)
				})
			}
			for i, run := range runs {
				cut.Everywhere(t, fmt.Sprintf("%s.%s, call %d", receiver, name, i), ErrUnavailable, func(arm func()) error {
					sn, err := s.Snapshot(ctx)
					if err != nil {
						t.Fatal(err)
					}
					defer sn.Close()
					arm()
					return run(sn)
				})
			}
		}
	}
}
