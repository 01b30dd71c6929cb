package timeline

import (
	"errors"
	"testing"
)

// Who is suspended while his password is compared is not signed in.
func TestSuspendedWhileSigningIn(t *testing.T) {
	t.Parallel()
	s := withPassword(t)
	ctx, anna := t.Context(), s.user("anna")
	var session string
	err := s.meanwhile(func(tx *txn) error {
		if _, err := tx.Exec(ctx, `update users set suspended_at = now() where id = $1`, anna); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `delete from sessions where user_id = $1`, anna)
		return err
	}, func() (err error) {
		session, err = s.SignIn(ctx, "anna", "correct horse", Client{}, true, "")
		return err
	})
	if n := one[int](s, `select count(*) from sessions`); n != 0 || !errors.Is(err, ErrUnauthorized) {
		t.Errorf("%d sessions, %v", n, err)
	}
	s.must(s.Restore(ctx, anna))
	if _, err := s.Session(ctx, session); err == nil {
		t.Error("after he was restored, a session from before that is good")
	}
}
