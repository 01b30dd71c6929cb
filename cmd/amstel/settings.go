package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"amstel.dev/amstel/timeline"
)

type settingsCmd struct {
	primary
	Key   string  `arg:"" optional:"" help:"Setting to change. Without one, all are listed."`
	Value *string `arg:"" optional:"" help:"Its new value. Without one, the setting is shown."`
}

// Run lists the settings of the site, or changes one.
func (c *settingsCmd) Run(ctx context.Context, to streams) (err error) {
	db, err := c.open(ctx, to)
	if err != nil {
		return err
	}
	defer db.close(&err)
	store := timeline.New(db.pool, timeline.Options{})
	if c.Value != nil {
		settings, err := store.ArrangeSite(ctx, timeline.SiteEdit{c.Key: *c.Value})
		if err != nil {
			return plain(err)
		}
		for _, one := range settings.List() {
			if one.Key == c.Key {
				_, err = fmt.Fprintf(to.out, "%s is %s now.\n", one.Key, one.Value)
			}
		}
		return err
	}
	settings, err := store.SiteSettings(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(to.out, 0, 0, 2, ' ', 0)
	found := false
	for _, one := range settings.List() {
		if c.Key == "" || c.Key == one.Key {
			found = true
			fmt.Fprintf(table, "%s\t%s\t%s\n", one.Key, one.Value, one.About)
		}
	}
	if !found {
		return &settingError{fmt.Sprintf("there is no setting %q: amstel settings lists them", c.Key)}
	}
	return table.Flush()
}
