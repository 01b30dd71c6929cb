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
	return sc.settings.checkWords("text", said)
}

// checkWords returns an [InvalidError] of a field if the site refuses a word or a link of the text in the field.
func (s *SiteSettings) checkWords(field, said string) error {
	if entry := s.Refused.Find(said); entry != "" {
		return &InvalidError{Field: field, Reason: fmt.Sprintf("has %q, which this site does not allow", entry), Code: "refused", Name: entry}
	}
	return nil
}

// screenCard checks the name, the display name and the description of a person or a group, if they are not nil. The error joins an
// [InvalidError] for each of them that has a refused word or link.
func screenCard(ctx context.Context, q primary.Querier, name, displayName, description *string) error {
	if name == nil && displayName == nil && description == nil {
		return nil
	}
	settings, err := siteSettings(ctx, q)
	if err != nil {
		return err
	}
	var faults []error
	for field, said := range map[string]*string{"name": name, "display_name": displayName, "description": description} {
		if said != nil {
			faults = append(faults, settings.checkWords(field, *said))
		}
	}
	return errors.Join(faults...)
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
