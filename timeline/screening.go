package timeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// What happens to posts with links by new people; see [NewcomerSettings].
const (
	LinksAllowed = "allowed"
	LinksHeld    = "held"
)

// NewcomerSettings are the limits for people whose accounts are new. Administrators of the site have
// no limits.
type NewcomerSettings struct {
	Days  int    // how many days an account is new; 0: no account is
	Posts int    // how many posts and comments a new person may write within 24 hours
	Links string // LinksAllowed, or LinksHeld: a post with a link waits for an administrator, and other texts may have no link
}

// mostNewDays is the largest number of days for which an account is new.
const mostNewDays = 90

// fields returns the settings about new people.
func (n *NewcomerSettings) fields() []siteField {
	return []siteField{
		{key: "newcomers.days", initial: 0.0, value: &n.Days, whole: true, orZero: true, least: 1, most: mostNewDays,
			bounds: fmt.Sprintf("is a whole number from 0 to %d", mostNewDays),
			about:  fmt.Sprintf("How many days an account is new, from 0 to %d. The other settings of newcomers hold for new accounts; with 0 for none.", mostNewDays)},
		{key: "newcomers.posts", initial: 30.0, value: &n.Posts, whole: true, least: 1, most: 10_000, bounds: "is a whole number from 1 to 10000",
			about: "How many posts and comments a new person may write within 24 hours."},
		{key: "newcomers.links", initial: LinksHeld, value: &n.Links, choices: []string{LinksAllowed, LinksHeld},
			about: "Whether links by new people are allowed, or held: a post with a link waits until an administrator publishes it, and comments and direct messages can have no link."},
	}
}

// A screening decides whether the text of a person may be published now.
type screening struct {
	settings SiteSettings
	since    time.Time // when the account was made
	admin    bool      // of the site
}

// queue adds the query of what a screening of the actor's text needs to a batch.
func (sc *screening) queue(b *pgx.Batch, actor UserID) {
	const query = `select s.value, u.created_at, u.admin from site_settings s, users u where u.id = $1`
	b.Queue(query, actor).QueryRow(func(row pgx.Row) error { return row.Scan(&sc.settings, &sc.since, &sc.admin) })
}

// isNew reports whether the account is new at a moment.
func (sc *screening) isNew(now time.Time) bool {
	return !sc.admin && now.Sub(sc.since) < time.Duration(sc.settings.Newcomers.Days)*24*time.Hour
}

// checkWords returns an [InvalidError] if the site refuses a word or a link of the text.
func (sc *screening) checkWords(said string) error {
	if entry := sc.settings.Refused.Find(said); entry != "" {
		return &InvalidError{Field: "text", Reason: fmt.Sprintf("has %q, which this site does not allow", entry), Code: "refused", Name: entry}
	}
	return nil
}

// checkNumber returns an [InvalidError] if a new person has written as much as new people may.
func (sc *screening) checkNumber(ctx context.Context, tx *txn, actor UserID, now time.Time) error {
	const query = `
		select (select count(*) from posts where user_id = $1 and published_at > $2) + (select count(*) from all_comments where user_id = $1 and created_at > $2)`
	if !sc.isNew(now) {
		return nil
	}
	var written int
	if err := tx.QueryRow(ctx, query, actor, now.Add(-24*time.Hour)).Scan(&written); err != nil {
		return err
	}
	if most := sc.settings.Newcomers.Posts; written >= most {
		return &InvalidError{Field: "text", Reason: fmt.Sprintf("is one too many: new people write at most %d posts and comments within 24 hours", most), Code: "newcomer_posts", N: most}
	}
	return nil
}

// holds reports whether a post with the text has to wait for an administrator.
func (sc *screening) holds(said, own string, now time.Time) bool {
	return sc.settings.Newcomers.Links == LinksHeld && sc.isNew(now) && text.Link(said, own) != ""
}

// checkLinks returns an [InvalidError] if the text has a link that the person may not publish, and that can't wait.
func (sc *screening) checkLinks(said, own string, now time.Time) error {
	if !sc.holds(said, own, now) {
		return nil
	}
	days := sc.settings.Newcomers.Days
	return &InvalidError{Field: "text", Reason: fmt.Sprintf("has a link, which people may add here when their account is %d days old", days), Code: "newcomer_link", N: days}
}

// screenText checks the new text of a comment, or of a post or comment that exists.
func (s *Store) screenText(ctx context.Context, tx *txn, actor UserID, said string) error {
	var sc screening
	var b pgx.Batch
	sc.queue(&b, actor)
	if err := tx.SendBatch(ctx, &b).Close(); err != nil {
		return err
	}
	return sc.checkText(said, s.url, s.db.Now())
}

// checkText checks the words and the links of a text that can't wait.
func (sc *screening) checkText(said, own string, now time.Time) error {
	if err := sc.checkWords(said); err != nil {
		return err
	}
	return sc.checkLinks(said, own, now)
}

// A HeldPost is a post that waits for an administrator of the site. Until then only its author reads it.
type HeldPost struct {
	ID     PostID
	Author UserID
	Text   string
	To     []string // where the author posts to: "user", "user_private", "group:NAME"
	Files  int
	At     time.Time
}

// HeldPosts returns up to count posts that wait for an administrator of the site, the oldest first,
// and the cards of their authors. [ErrForbidden] for any other viewer.
func (s *Store) HeldPosts(ctx context.Context, viewer UserID, count int) (held []HeldPost, users map[UserID]*UserCard, err error) {
	defer primary.Wrap(&err, "held posts")
	const query = `
		select p.id, p.user_id, p.text, h.places, (select count(*) from attachments where post_id = p.id and state = 'ready'), h.held_at
		from held_posts h join posts p on p.id = h.post_id join users u on u.id = p.user_id
		where not (` + postGone + `) order by h.held_at, h.post_id limit $1`
	err = s.viewAs(ctx, viewer, (*Sets).checkSiteAdmin, func(q primary.Querier, _ *Sets) error {
		rows, err := q.Query(ctx, query, count)
		if err != nil {
			return err
		}
		held, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (h HeldPost, err error) {
			err = row.Scan(&h.ID, &h.Author, &h.Text, &h.To, &h.Files, &h.At)
			h.At = h.At.UTC()
			return h, err
		})
		if err != nil {
			return err
		}
		var authors []UserID
		for _, h := range held {
			authors = append(authors, h.Author)
		}
		users, _, err = readCards(ctx, q, authors, nil)
		return err
	})
	return held, users, err
}

// hold makes a new post wait that its author sent to the destinations.
func (tx *txn) hold(ctx context.Context, id PostID, to destinations, at time.Time) error {
	const insert = `insert into held_posts (post_id, places, held_at) values ($1, $2, $3)`
	var places []string
	for _, what := range to.own {
		places = append(places, string(what))
	}
	for _, group := range to.groups {
		places = append(places, "group:"+group)
	}
	if _, err := tx.Exec(ctx, insert, id, places, at); err != nil {
		return err
	}
	return tx.notifyOfWaiting(ctx, at, NoticeHeld)
}

// checkHeld returns an [InvalidError] if a post waits for an administrator, so that its author can't move it.
func (tx *txn) checkHeld(ctx context.Context, id PostID) error {
	const query = `select exists (select from held_posts where post_id = $1)`
	var held bool
	if err := tx.QueryRow(ctx, query, id).Scan(&held); err != nil || !held {
		return err
	}
	return &InvalidError{Field: "timelines", Reason: "can't be changed while the post waits for an administrator", Code: "held"}
}

// ReleasePost publishes a post that waits, where its author posted it to, as an administrator of the
// site. [ErrForbidden] for any other actor, [ErrConflict] if the post waits no longer, or if its author
// may not post there any more.
func (s *Store) ReleasePost(ctx context.Context, actor UserID, id PostID) (err error) {
	defer primary.Wrap(&err, "release post %d", id)
	return s.decideHeld(ctx, actor, id, func(tx *txn, p *lockedPost, to destinations, e JournalEntry) error {
		const written = `select published_at from posts where id = $1`
		places, err := p.newPlaces(ctx, tx, to)
		if err != nil {
			return conflicting(err)
		}
		if err := s.changePost(ctx, tx, p, postChange{places: places, everything: to.everything()}); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, written, id).Scan(&e.Written); err != nil {
			return err
		}
		e.Act = ActRelease
		_, err = s.record(ctx, tx, e)
		return err
	})
}

// RefusePost deletes a post that waits, as an administrator of the site, and notifies its author of
// the reason. The errors are those of [Store.ReleasePost].
func (s *Store) RefusePost(ctx context.Context, actor UserID, id PostID, reason string) (err error) {
	defer primary.Wrap(&err, "refuse post %d", id)
	if reason, err = text.CleanLine("reason", reason, maxReason); err != nil {
		return err
	}
	return s.decideHeld(ctx, actor, id, func(tx *txn, p *lockedPost, _ destinations, e JournalEntry) error {
		e.Reason = reason
		_, err := s.moderatePost(ctx, tx, p, e)
		return err
	})
}

// conflicting returns [ErrConflict] for an error that says that the author of a post may not do
// something any more, and any other error as it is.
func conflicting(err error) error {
	_, invalid := errors.AsType[*InvalidError](err)
	if invalid || missing(err) || errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrForbidden) {
		return fmt.Errorf("%s: %w", err, ErrConflict)
	}
	return err
}

// decideHeld ends the wait of a post, and runs f with the post, locked as for its author.
func (s *Store) decideHeld(ctx context.Context, actor UserID, id PostID, f func(*txn, *lockedPost, destinations, JournalEntry) error) error {
	const author = `select p.user_id from held_posts h join posts p on p.id = h.post_id where h.post_id = $1`
	const end = `delete from held_posts where post_id = $1 returning places`
	return s.write(ctx, func(tx *txn) error {
		if err := lockSiteAdmin(ctx, tx, actor); err != nil {
			return err
		}
		var by UserID
		if err := tx.QueryRow(ctx, author, id).Scan(&by); err != nil {
			if missing(err) {
				err = ErrConflict
			}
			return err
		}
		p, err := lockPost(ctx, tx, by, id)
		if err != nil {
			return conflicting(err) // the post or its author is gone
		}
		var places []string
		if err := tx.QueryRow(ctx, end, id).Scan(&places); err != nil {
			if missing(err) {
				err = ErrConflict
			}
			return err
		}
		to, err := parseDestinations(places)
		if err != nil {
			return err
		}
		if err := f(tx, p, to, JournalEntry{By: actor, User: by}); err != nil {
			return err
		}
		return tx.retractWaiting(ctx, NoticeHeld)
	})
}
