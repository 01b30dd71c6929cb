package timeline

import (
	"context"
	"errors"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
)

// GroupEdit is an administrator's change of a group. A nil field stays as it is.
type GroupEdit struct {
	Name        *string // the earlier name leads to the group for ever
	DisplayName *string
	Description *string
	Status      *string // public, disallow-robots, protected or private
	Posting     *string // anybody, members or admins
	Joining     *string // open or request
	NSFW        *bool
}

// EditGroup changes a group. A new status changes the access to the group; subscriptions and
// requests stay as they are. The error is [ErrForbidden] unless the actor administers the group, a
// [TakenError] if another account has or had the name, and an [InvalidError] if a field is not
// valid or the group has had five new names in thirty days.
func (s *Store) EditGroup(ctx context.Context, actor UserID, name string, edit GroupEdit) (err error) {
	defer primary.Wrap(&err, "group %q", name)
	edit, err = edit.clean()
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *txn) error {
		if edit.Status != nil || edit.Posting != nil {
			tx.Revokes()
		}
		group, err := findGroup(ctx, tx, name)
		if err != nil {
			return err
		}
		return editGroup(ctx, tx, actor, group, edit, s.db.Now())
	})
}

// clean returns the edit with its texts cleaned. It returns an [InvalidError] if a field is not
// valid.
func (e GroupEdit) clean() (GroupEdit, error) {
	if err := cleanCard(&e.DisplayName, &e.Description); err != nil {
		return e, err
	}
	var faults []error
	for _, choice := range []struct {
		value *string
		check func(string) error
	}{{e.Status, checkStatus}, {e.Posting, checkPosting}, {e.Joining, checkJoining}} {
		if choice.value != nil {
			faults = append(faults, choice.check(*choice.value))
		}
	}
	return e, errors.Join(faults...)
}

func editGroup(ctx context.Context, tx *txn, actor UserID, group GroupID, edit GroupEdit, at time.Time) error {
	const lock = `select from groups where id = $1 for no key update`
	const update = `
		update groups set
			name = coalesce($2, name), display_name = coalesce($3, display_name), description = coalesce($4, description),
			status = coalesce($5, status), posting = coalesce($6, posting), joining = coalesce($7, joining), nsfw = coalesce($8, nsfw)
		where id = $1 and (
			name <> coalesce($2, name) or display_name <> coalesce($3, display_name) or description <> coalesce($4, description) or
			status <> coalesce($5, status) or posting <> coalesce($6, posting) or joining <> coalesce($7, joining) or nsfw <> coalesce($8, nsfw))`
	// This check keeps all but administrators from taking the locks below.
	if err := checkGroupAdmin(ctx, tx, actor, group, isAdmin); err != nil {
		return err
	}
	if err := screenCard(ctx, tx, edit.Name, edit.DisplayName, edit.Description); err != nil {
		return err
	}
	if edit.Status != nil {
		// Timelines are locked before groups.
		flipped, err := setAccess(ctx, tx, accessOf(*edit.Status), int64(group), WhatGroup)
		if err != nil {
			return err
		}
		if len(flipped) > 0 {
			tx.Note(Change{Kind: ChangeAccess, Group: group, Timelines: flipped})
		}
	}
	if err := tx.QueryRow(ctx, lock, group).Scan(); err != nil {
		return err
	}
	// The earlier check may be outdated. This check holds until the transaction ends: it locks
	// the administrator's row. All writes lock groups before their administrators.
	if err := checkGroupAdmin(ctx, tx, actor, group, lockIsAdmin); err != nil {
		return err
	}
	if edit.Name != nil {
		if err := claimName(ctx, tx, WhatGroup, int64(group), *edit.Name, at); err != nil {
			return err
		}
	}
	tag, err := tx.Exec(ctx, update, group, edit.Name, edit.DisplayName, edit.Description, edit.Status, edit.Posting, edit.Joining, edit.NSFW)
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	tx.Note(Change{Kind: ChangeCard, Group: group})
	return nil
}
