package main

import (
	"context"
	"errors"
	"fmt"

	"amstel.dev/amstel/timeline"
)

type userSuspendCmd struct {
	primary
	Name string `arg:"" help:"Name of the account."`
}

// Run suspends an account.
func (c *userSuspendCmd) Run(ctx context.Context, to streams) error {
	return c.withUser(ctx, to, c.Name, func(store *timeline.Store, user timeline.UserID) error {
		err := store.Suspend(ctx, user)
		if errors.Is(err, timeline.ErrConflict) {
			return fmt.Errorf("%s is the only administrator of the site: make another account an administrator first", c.Name)
		}
		if err != nil {
			return err
		}
		if err := timeline.FinishSuspensions(ctx, store); err != nil {
			return err
		}
		_, err = fmt.Fprintf(to.out, "%s is suspended, and signed out everywhere. No one sees what %[1]s wrote.\n", c.Name)
		return err
	})
}

type userRestoreCmd struct {
	primary
	Name string `arg:"" help:"Name of the account."`
}

// Run restores an account.
func (c *userRestoreCmd) Run(ctx context.Context, to streams) error {
	return c.withUser(ctx, to, c.Name, func(store *timeline.Store, user timeline.UserID) error {
		if err := store.Restore(ctx, user); err != nil {
			return err
		}
		if err := timeline.FinishSuspensions(ctx, store); err != nil {
			return err
		}
		_, err := fmt.Fprintf(to.out, "%s can sign in again, and everyone sees again what %[1]s wrote.\n", c.Name)
		return err
	})
}
