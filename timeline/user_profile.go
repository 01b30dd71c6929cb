package timeline

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// ProfileEdit is a change of a person's profile; a nil field stays as it is.
type ProfileEdit struct {
	Name        *string // the earlier name keeps leading to the account
	DisplayName *string
	Description *string
	DirectsFrom *string // whose direct messages the person takes: anybody, or subscriptions
	Status      *string // public, disallow-robots, protected, private or fyeo
	Lang        *string // the code of the language in which the person writes, or "" to detect it in each post
	// PageLanguage is the code of the language of the person's pages, or "" for the language of
	// the browser.
	PageLanguage *string
	Theme        *string // system, light or dark
	Density      *string // comfortable or compact
	TimeZone     *string // the name of a time zone, such as Europe/Amsterdam, or "" for the browser's time zone
	OwnPosts     *bool   // whether the person's home has their own posts
	KeepsVisits  *bool   // whether the times of the person's visits are kept, so that their home can be built before they come
}

// SetProfile changes a person's profile. A new status also changes the access to the person's feed,
// likes and comments; subscriptions and requests stay. The error is a [TakenError] if another
// account has or had the name, and an [InvalidError] for a bad field or more than five new names in
// thirty days.
func (s *Store) SetProfile(ctx context.Context, user UserID, edit ProfileEdit) (err error) {
	defer primary.Wrap(&err, "profile of user %d", user)
	edit, err = edit.clean()
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *txn) error {
		if edit.Status != nil {
			tx.Revokes()
		}
		if err := screenCard(ctx, tx, edit.Name, edit.DisplayName, edit.Description); err != nil {
			return err
		}
		return setProfile(ctx, tx, user, edit, s.db.Now())
	})
}

func (e ProfileEdit) clean() (ProfileEdit, error) {
	if err := cleanCard(&e.DisplayName, &e.Description); err != nil {
		return e, err
	}
	if err := checkOneOf("directs_from", e.DirectsFrom, directsFromAnybody, directsFromSubscriptions); err != nil {
		return e, err
	}
	if e.Lang != nil {
		lang, err := text.CleanLanguage(*e.Lang)
		if err != nil {
			return e, err
		}
		e.Lang = &lang
	}
	if e.PageLanguage != nil {
		lang, err := text.CleanLanguage(*e.PageLanguage)
		if err != nil {
			return e, &InvalidError{Field: "page_language", Reason: "must be the code of a language, such as en, or empty", Code: "choice"}
		}
		e.PageLanguage = &lang
	}
	if e.TimeZone != nil && *e.TimeZone != "" {
		if _, known := text.Zone(*e.TimeZone); !known {
			return e, &InvalidError{Field: "time_zone", Reason: "must be the name of a time zone, such as Europe/Amsterdam, or empty", Code: "choice"}
		}
	}
	if err := errors.Join(checkOneOf("theme", e.Theme, "system", "light", "dark"), checkOneOf("density", e.Density, "comfortable", "compact")); err != nil {
		return e, err
	}
	if e.Status != nil {
		return e, checkUserStatus(*e.Status)
	}
	return e, nil
}

// cleanCard cleans the display name and the description of a person or a group, if they
// are not nil.
func cleanCard(displayName, description **string) error {
	if *displayName != nil {
		line, err := text.CleanDisplayName(**displayName)
		if err != nil {
			return err
		}
		*displayName = &line
	}
	if *description != nil {
		prose, err := text.Clean("description", **description)
		if err != nil {
			return err
		}
		*description = &prose
	}
	return nil
}

// The values of ProfileEdit.DirectsFrom.
const (
	directsFromAnybody       = "anybody"
	directsFromSubscriptions = "subscriptions" // the people whom the person follows
)

// checkOneOf returns an [InvalidError] if value is neither nil nor one of the values that the field
// can have.
func checkOneOf(field string, value *string, values ...string) error {
	if value == nil || slices.Contains(values, *value) {
		return nil
	}
	last := len(values) - 1
	reason := "must be " + strings.Join(values[:last], ", ") + " or " + values[last]
	return &InvalidError{Field: field, Reason: reason, Code: "choice"}
}

func setProfile(ctx context.Context, tx *txn, user UserID, edit ProfileEdit, at time.Time) error {
	const update = `
		update users set
			display_name = coalesce($2, display_name), description = coalesce($3, description), status = coalesce($4, status),
			name = coalesce($5, name), directs_from = coalesce($6, directs_from), lang = coalesce($7, lang),
			page_language = coalesce($8, page_language), theme = coalesce($9, theme), density = coalesce($10, density),
			time_zone = coalesce($11, time_zone)
		where id = $1 and status <> 'deleted' and (
			display_name <> coalesce($2, display_name) or description <> coalesce($3, description) or status <> coalesce($4, status) or
			name <> coalesce($5, name) or directs_from <> coalesce($6, directs_from) or lang <> coalesce($7, lang) or
			page_language <> coalesce($8, page_language) or theme <> coalesce($9, theme) or density <> coalesce($10, density) or
			time_zone <> coalesce($11, time_zone))`
	// The person's row is locked before timelines, as in every write. A change of the name needs the
	// stronger lock, because the name is a unique key of the row.
	const lock = `select withheld from users where id = $1 and status <> 'deleted' for no key update`
	const lockName = `select withheld from users where id = $1 and status <> 'deleted' for update`
	query := lock
	if edit.Name != nil {
		query = lockName
	}
	var withheld bool
	if err := tx.QueryRow(ctx, query, user).Scan(&withheld); err != nil {
		return err
	}
	if edit.Name != nil {
		if err := claimName(ctx, tx, WhatUser, int64(user), *edit.Name, at); err != nil {
			return err
		}
	}
	// The timelines of a withheld person stay closed until setWithheld gives them the access that the status says: nodes show
	// again what the person wrote upon this change of access.
	if edit.Status != nil && !withheld {
		flipped, err := setAccess(ctx, tx, accessOf(*edit.Status), int64(user), WhatUser, WhatUserLikes, WhatUserComments)
		if err != nil {
			return err
		}
		if len(flipped) > 0 {
			tx.Note(Change{Kind: ChangeAccess, User: user, Timelines: flipped})
		}
	}
	if edit.OwnPosts != nil {
		if err := tx.setOwnPosts(ctx, user, *edit.OwnPosts); err != nil {
			return err
		}
	}
	if edit.KeepsVisits != nil {
		if err := tx.setKeepsVisits(ctx, user, *edit.KeepsVisits); err != nil {
			return err
		}
	}
	tag, err := tx.Exec(ctx, update, user, edit.DisplayName, edit.Description, edit.Status, edit.Name, edit.DirectsFrom, edit.Lang, edit.PageLanguage,
		edit.Theme, edit.Density, edit.TimeZone)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil // nothing changes, so the timelines have this access already
	}
	tx.Note(Change{Kind: ChangeCard, User: user})
	return nil
}

// SetOwnPosts sets whether the actor's home has the actor's own posts. If it has not, the like or
// comment of a friend does not bring such a post in either.
func (s *Store) SetOwnPosts(ctx context.Context, actor UserID, on bool) (err error) {
	defer primary.Wrap(&err, "own posts of user %d", actor)
	return s.SetProfile(ctx, actor, ProfileEdit{OwnPosts: &on})
}

// setOwnPosts is SetOwnPosts in a transaction that has locked the person's row.
func (tx *txn) setOwnPosts(ctx context.Context, user UserID, on bool) error {
	const update = `update users set own_posts = $2 where id = $1 and own_posts <> $2`
	tag, err := tx.Exec(ctx, update, user, on)
	if err == nil && tag.RowsAffected() > 0 {
		tx.noteViewers(user)
	}
	return err
}

// DirectsFrom returns whose direct messages a person takes; see [ProfileEdit]. Callers show the
// setting to the person alone.
func (s *Store) DirectsFrom(ctx context.Context, user UserID) (from string, err error) {
	defer primary.Wrap(&err, "whose directs user %d takes", user)
	const query = `select directs_from from users where id = $1 and status <> 'deleted'`
	if err := s.db.Pool.QueryRow(ctx, query, user).Scan(&from); err != nil {
		return "", err
	}
	return from, nil
}

// WritesIn returns the code of the language in which a person writes by their own setting, or "" if
// the language of each post is detected.
func (s *Store) WritesIn(ctx context.Context, user UserID) (lang string, err error) {
	defer primary.Wrap(&err, "language of user %d", user)
	const query = `select lang from users where id = $1`
	err = s.db.View(ctx, func(q primary.Querier) error { return q.QueryRow(ctx, query, user).Scan(&lang) })
	return lang, err
}
