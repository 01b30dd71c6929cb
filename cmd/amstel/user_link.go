package main

import (
	"context"
	"fmt"

	"amstel.dev/amstel/timeline"
)

type userLinkCmd struct {
	primary
	Name string `arg:"" help:"Name of the account."`
	URL  string `placeholder:"ADDRESS" help:"Public address of the site (that of the last amstel serve on --data)."`
}

// linkPath is the page of a link, before its secret; package web serves it.
const linkPath = "/users/link/"

// Run prints the address of a new link.
func (c *userLinkCmd) Run(ctx context.Context, to streams) error {
	site := c.URL
	if site == "" {
		_, site = whoServes(c.Data)
	}
	if site == "" {
		return &settingError{"--url is missing, as nobody has served this data folder yet"}
	}
	site, err := publicURL(site, nil)
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
