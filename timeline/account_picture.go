package timeline

import (
	"context"
	"strings"

	"amstel.dev/amstel/timeline/internal/primary"
)

// A PictureRole is what a picture of a person or a group is for.
type PictureRole string

// The roles of pictures.
const (
	Avatar PictureRole = "avatar" // a square, beside the name wherever the person or the group is shown
	Cover  PictureRole = "cover"  // a wide picture at the top of the page of the person or the group
)

// PictureFiles are the two sizes of an avatar or a cover, by their names in the file store.
// Both are JPEG. The zero PictureFiles stand for no picture.
type PictureFiles struct{ Small, Large FileName }

// PictureAddress returns the path of the small file of an avatar or a cover on the site.
// [LargePicture] returns the path of the large file.
func PictureAddress(role PictureRole, small FileName) string {
	return "/system/" + string(role) + "s/" + small.String() + ".jpg"
}

// LargePicture returns the path of a picture's large file; address is the path of the small file.
func LargePicture(address string) string { return strings.TrimSuffix(address, ".jpg") + "-large.jpg" }

// SetUserPicture replaces or removes the avatar or cover of the actor. Kept reports whether the
// file store has a file. If it lacks one of the two files, SetUserPicture returns [ErrFileGone],
// and the caller stores the files again.
func (s *Store) SetUserPicture(ctx context.Context, actor UserID, role PictureRole, files PictureFiles, kept Kept) (err error) {
	defer primary.Wrap(&err, "%s of user %d", role, actor)
	const lock = `select from users where id = $1 and status <> 'deleted' for no key update`
	return s.writePicture(ctx, files, kept, func(tx *txn) error {
		if err := tx.QueryRow(ctx, lock, actor).Scan(); err != nil {
			return err
		}
		return tx.setPicture(ctx, actor, 0, role, files)
	})
}

// SetGroupPicture replaces or removes the avatar or cover of a group. The error is [ErrFileGone]
// in the same case as of [Store.SetUserPicture], [ErrNotFound] if there is no such group, and
// [ErrForbidden] unless the actor administers the group.
func (s *Store) SetGroupPicture(ctx context.Context, actor UserID, name string, role PictureRole, files PictureFiles, kept Kept) (err error) {
	defer primary.Wrap(&err, "%s of group %q", role, name)
	const lock = `select from groups where id = $1 for no key update`
	return s.writePicture(ctx, files, kept, func(tx *txn) error {
		group, err := findGroup(ctx, tx, name)
		if err != nil {
			return err
		}
		// The first check keeps all but administrators from locking the group. The second check
		// locks the administration as well, so that it lasts until the transaction ends, as in
		// EditGroup.
		if err := checkGroupAdmin(ctx, tx, actor, group, isAdmin); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, lock, group).Scan(); err != nil {
			return err
		}
		if err := checkGroupAdmin(ctx, tx, actor, group, lockIsAdmin); err != nil {
			return err
		}
		return tx.setPicture(ctx, 0, group, role, files)
	})
}

// writePicture runs f in a transaction that holds the locks of the files.
func (s *Store) writePicture(ctx context.Context, files PictureFiles, kept Kept, f func(*txn) error) error {
	return s.write(ctx, func(tx *txn) error {
		if files != (PictureFiles{}) {
			if err := LockFiles(ctx, tx, kept, files.Small, files.Large); err != nil {
				return err
			}
		}
		return f(tx)
	})
}

// setPicture replaces or removes a picture of a person (group is 0) or of a group (user is 0). The
// caller has locked the row of the person or the group.
func (tx *txn) setPicture(ctx context.Context, user UserID, group GroupID, role PictureRole, files PictureFiles) error {
	const current = `
		select from account_pictures
		where role = $3 and (user_id = nullif($1, 0) or group_id = nullif($2, 0)) and small = $4 and large = $5`
	const remove = `
		delete from account_pictures where role = $3 and (user_id = nullif($1, 0) or group_id = nullif($2, 0))`
	const insert = `
		insert into account_pictures (user_id, group_id, role, small, large) values (nullif($1, 0), nullif($2, 0), $3, $4, $5)`
	const updateUser = `
		update users set
			avatar_url = case when $2 = 'avatar' then $3 else avatar_url end, cover_url = case when $2 = 'cover' then $3 else cover_url end
		where id = $1`
	const updateGroup = `
		update groups set
			avatar_url = case when $2 = 'avatar' then $3 else avatar_url end, cover_url = case when $2 = 'cover' then $3 else cover_url end
		where id = $1`
	tag, err := tx.Exec(ctx, current, int64(user), int64(group), role, files.Small[:], files.Large[:])
	if err != nil || tag.RowsAffected() > 0 {
		return err // the account has this picture already
	}
	if tag, err = tx.Exec(ctx, remove, int64(user), int64(group), role); err != nil {
		return err
	}
	address := ""
	switch {
	case files == PictureFiles{} && tag.RowsAffected() == 0:
		return nil // there is no picture already
	case files != PictureFiles{}:
		if _, err := tx.Exec(ctx, insert, int64(user), int64(group), role, files.Small[:], files.Large[:]); err != nil {
			return err
		}
		address = PictureAddress(role, files.Small)
	}
	update, id := updateUser, int64(user)
	if group != 0 {
		update, id = updateGroup, int64(group)
	}
	if _, err := tx.Exec(ctx, update, id, role, address); err != nil {
		return err
	}
	tx.Note(Change{Kind: ChangeCard, User: user, Group: group})
	return nil
}

// PictureFile finds the present avatar or cover with the given small file, and returns the name of
// its small or large file. It checks no rights, because all readers may see avatars and covers. It
// returns [ErrNotFound] if no person or group has the picture, or only people who are withheld.
func (s *Store) PictureFile(ctx context.Context, role PictureRole, small FileName, large bool) (file FileName, err error) {
	defer primary.Wrap(&err, "picture %s", small)
	const query = `
		select case when $3 then large else small end from account_pictures p
		where role = $1 and small = $2 and not exists (select from users where id = p.user_id and withheld) limit 1`
	var name []byte
	err = s.db.View(ctx, func(q primary.Querier) error { return q.QueryRow(ctx, query, role, small[:], large).Scan(&name) })
	if err != nil {
		return FileName{}, err
	}
	return FileName(name), nil
}
