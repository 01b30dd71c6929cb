package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/importer"
)

// source is the name under which the primary remembers the lines of the community.
const source = "amstel demo"

// Guest is the name of the account for the person who looks at the demonstration.
const Guest = "guest"

// ErrOther reports that a database has people of another site, among whom the demonstration must not write.
var ErrOther = errors.New("the database is not one of the demonstration")

// Make makes the community, and the account of the guest, unless they exist. The newest post is some
// minutes older than now. The error is [ErrOther] if the database has people but not this community.
func Make(ctx context.Context, store *timeline.Store, seed uint64, now time.Time) error {
	c, err := load()
	if err != nil {
		return err
	}
	made, err := isMade(ctx, store.Pool())
	if err != nil {
		return err
	}
	if !made {
		lines, err := newHistory(c, seed, now)
		if err != nil {
			return err
		}
		// One transaction: an import that is interrupted leaves nothing.
		if _, err := importer.Import(ctx, store.Pool(), bytes.NewReader(lines), importer.Options{Source: source, Batch: len(lines)}); err != nil {
			return fmt.Errorf("the community of the demonstration: %w", err)
		}
	}
	return c.makeGuest(ctx, store)
}

// isMade reports whether the primary has the community. It returns [ErrOther] for another site's.
func isMade(ctx context.Context, pool *pgxpool.Pool) (made bool, err error) {
	const query = `select exists (select from imported where source = $1), exists (select from users)`
	var people bool
	if err := pool.QueryRow(ctx, query, source).Scan(&made, &people); err != nil {
		return false, fmt.Errorf("the database of the demonstration: %w", err)
	}
	if people && !made {
		return false, ErrOther
	}
	return made, nil
}

// makeGuest makes the account of the guest, who administers the site and follows some people, unless it exists.
func (c *community) makeGuest(ctx context.Context, store *timeline.Store) error {
	if _, err := store.Lookup(ctx, Guest); !errors.Is(err, timeline.ErrNotFound) {
		return err
	}
	guest, err := store.SignUp(ctx, timeline.NewUser{
		Name: Guest, DisplayName: c.Guest.Display, Email: Guest + "@example.org", NoPassword: true, Admin: true,
	})
	if err != nil {
		return err
	}
	if err := store.SetProfile(ctx, guest, timeline.ProfileEdit{Description: &c.Guest.About}); err != nil {
		return err
	}
	subscribe := func(who timeline.UserID, name string) error {
		_, err := store.Subscribe(ctx, who, timeline.FeedName{Name: name}, timeline.SubscribeOptions{})
		return err
	}
	for _, name := range append(append([]string{}, c.Guest.Follows...), c.Guest.Groups...) {
		if err := subscribe(guest, name); err != nil {
			return err
		}
	}
	for _, p := range c.People {
		for _, name := range p.Follows {
			if name != Guest {
				continue
			}
			named, err := store.Lookup(ctx, p.Name)
			if err != nil {
				return err
			}
			if err := subscribe(named.User, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Link returns the secret of a link that signs in to the account of the guest, once.
func Link(ctx context.Context, store *timeline.Store) (secret string, err error) {
	guest, err := store.Lookup(ctx, Guest)
	if err != nil {
		return "", err
	}
	return store.NewLink(ctx, guest.User)
}

// Clear removes everything from the database of a demonstration, also the tables. The error is [ErrOther]
// if the database has people but not this community.
func Clear(ctx context.Context, pool *pgxpool.Pool) error {
	if _, err := isMade(ctx, pool); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `drop schema public cascade`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `create schema public`)
		return err
	})
	if err != nil {
		return fmt.Errorf("empty the database of the demonstration: %w", err)
	}
	pool.Reset() // connections have prepared statements about the tables
	return nil
}
