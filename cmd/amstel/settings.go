package main

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

type settingsCmd struct {
	primary
	Key   string  `arg:"" optional:"" help:"Setting to show or change. Without a name, all settings are listed."`
	Value *string `arg:"" optional:"" help:"New value. Without a value, the setting is shown."`
}

// shownOfSetting is how many characters of a value the list of settings shows.
const shownOfSetting = 40

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
		for _, setting := range settings.List() {
			if setting.Key == c.Key {
				_, err = fmt.Fprintf(to.out, "%s is now: %s\n", setting.Key, cmp.Or(setting.Value, "(empty)"))
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
	for _, setting := range settings.List() {
		if c.Key == "" || c.Key == setting.Key {
			found = true
			fmt.Fprintf(table, "%s\t%s\t%s\n", setting.Key, text.OneLine(setting.Value, shownOfSetting), setting.About)
		}
	}
	if !found {
		return &settingError{fmt.Sprintf("there is no setting %q: amstel settings lists them", c.Key)}
	}
	return table.Flush()
}
