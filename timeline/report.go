package timeline

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// A ReportDraft is a report that a person wants to send.
type ReportDraft struct {
	Post    PostID    // 0: the report is about Person
	Comment CommentID // 0: the report is about the post itself
	Person  string    // a name
	// Objection is an entry of the journal about the sender, who objects to the entry. 0: the report is no objection.
	Objection int64
	// Group is the name of a group that the post is in. Its administrators get the report; if the
	// name is empty, the administrators of the site do.
	Group  string
	Reason string
	// Quote passes the text of the post or comment on. Administrators who may not read the post see
	// this text, and no other.
	Quote bool
}

// A Report asks administrators to look at a post, a comment or a person.
type Report struct {
	ID        int64
	At        time.Time
	By        UserID
	Group     GroupID // its administrators decide; 0: those of the site
	User      UserID  // the person, or who wrote the post or comment
	Post      PostID
	Comment   CommentID
	Objection int64 // the entry of the journal to which the person objects; 0: the report is no objection
	Reason    string
	Quote     string // what the sender passed on

	// Author is the author of the post. It is 0 if the viewer may not read the post or comment, or if it is gone.
	Author UserID
	Text   string // how the post or comment begins, if the viewer may read it
	Before int    // the number of earlier decisions about the person, without dismissals
	Closed *JournalEntry
}

const (
	// maxReport is the longest reason of a report, in characters.
	maxReport = 1000
	// mostReports is the largest number of open reports that one person may have sent.
	mostReports = 20
	// quoted is how many characters of a text a report passes on, and how many of a text a list of reports shows.
	quoted = 1000
)

// moderatesSite reports whether the viewer decides about reports to the administrators of the site.
func (s *Sets) moderatesSite() bool { return s.MayAct() && s.Admin && !s.AsMember }

// moderated returns the groups about whose reports the viewer decides.
func (s *Sets) moderated() []GroupID {
	if !s.MayAct() || s.AsMember {
		return []GroupID{}
	}
	return slices.Sorted(maps.Keys(s.Administers))
}

// moderates reports whether the viewer decides about reports to the administrators of a group, or of the site if group is 0.
func (s *Sets) moderates(group GroupID) bool {
	if group == 0 {
		return s.moderatesSite()
	}
	return s.MayAct() && s.runs(group)
}

// bannedBy reports whether another person banned the viewer, who did not ban them. The viewer does not find such a person.
func (s *Sets) bannedBy(other UserID) bool {
	mine, banned := s.Bans[other]
	return banned && !mine
}

// checkModerator returns [ErrUnauthorized] or [ErrForbidden] unless the viewer decides about any reports.
func (s *Sets) checkModerator() error {
	switch {
	case !s.MayAct():
		return ErrUnauthorized
	case !s.moderatesSite() && len(s.moderated()) == 0:
		return ErrForbidden
	}
	return nil
}

// SendReport sends a report to the administrators of a group or of the site, and notifies them. A second report of the
// same thing to the same administrators replaces the first while it is open. The error is [ErrNotFound] if the actor may not read the post or comment,
// [ErrThrottled] if too many reports of the actor are open, and an [InvalidError] for a bad reason, for a group that does
// not have the post, and for a report about the actor.
func (s *Store) SendReport(ctx context.Context, actor UserID, d ReportDraft) (err error) {
	defer primary.Wrap(&err, "report of user %d", actor)
	const open = `
		select count(*), coalesce(max(id) filter (where ` + sameReport + `), 0) from reports where by_id = $6 and journal_id is null`
	const replace = `update reports set reason = $2, quote = $3 where id = $1`
	const insert = `
		insert into reports (created_at, by_id, group_id, user_id, post_id, comment_id, reason, quote, objection_id)
		values ($1, $2, nullif($3::bigint, 0), $4, nullif($5::bigint, 0), nullif($6::bigint, 0), $7, $8, nullif($9::bigint, 0)) returning id`
	if d.Reason, err = cleanReport(d.Reason); err != nil {
		return err
	}
	return s.write(ctx, func(tx *txn) error {
		sets, err := lockSets(ctx, tx, actor)
		if err != nil {
			return err
		}
		if !sets.MayAct() {
			return ErrUnauthorized
		}
		r, err := readReported(ctx, tx, sets, d)
		if err != nil {
			return err
		}
		if r.User == actor && r.Objection == 0 {
			return &InvalidError{Field: "report", Reason: "is about yourself", Code: "yourself"}
		}
		if !d.Quote {
			r.Text = ""
		}
		var n int
		var id int64
		if err := tx.QueryRow(ctx, open, r.Group, r.User, r.Post, r.Comment, r.Objection, actor).Scan(&n, &id); err != nil {
			return err
		}
		if id != 0 {
			_, err := tx.Exec(ctx, replace, id, d.Reason, r.Text)
			return err
		}
		if n >= mostReports {
			return ErrThrottled
		}
		now := s.db.Now()
		if err := tx.QueryRow(ctx, insert, now, actor, r.Group, r.User, r.Post, r.Comment, d.Reason, r.Text, r.Objection).Scan(&id); err != nil {
			return err
		}
		return tx.notifyOfReport(ctx, now, id)
	})
}

// sameReport is the condition on a report to be about the same thing, and to the same administrators: $1 to $5 are the group,
// the person, the post, the comment and the entry of the journal, each 0 for none.
const sameReport = `(coalesce(group_id, 0), user_id, coalesce(post_id, 0), coalesce(comment_id, 0), coalesce(objection_id, 0)) = ($1::bigint, $2::bigint, $3::bigint, $4::bigint, $5::bigint)`

// cleanReport returns the reason of a report as it is kept, or an [InvalidError].
func cleanReport(reason string) (string, error) {
	reason, err := text.Clean("reason", strings.TrimSpace(reason))
	switch {
	case err != nil:
		return "", err
	case reason == "":
		return "", &InvalidError{Field: "reason", Reason: "is empty", Code: "empty"}
	case len([]rune(reason)) > maxReport:
		return "", &InvalidError{Field: "reason", Reason: "is longer than 1000 characters", Code: "too_long", N: maxReport}
	}
	return reason, nil
}

// readReported returns the report of a draft: what it is about, whose administrators it goes to, and in Text the beginning
// of the post or comment.
func readReported(ctx context.Context, q primary.Querier, sets *Sets, d ReportDraft) (r Report, err error) {
	const post = `select user_id, left(text, $2) from posts where id = $1`
	const comment = `select user_id, left(text, $3) from comments where id = $1 and post_id = $2`
	const objection = `select user_id, coalesce(group_id, 0) from journal where id = $1 and user_id = $2 and act not in ('dismiss', 'restore')`
	if d.Objection != 0 {
		r.Objection = d.Objection
		return r, q.QueryRow(ctx, objection, d.Objection, sets.User).Scan(&r.User, &r.Group)
	}
	if d.Post == 0 {
		named, err := lookup(ctx, q, d.Person)
		switch {
		case missing(err), err == nil && (named.User == 0 || sets.bannedBy(named.User)):
			return r, ErrNotFound
		case err != nil:
			return r, err
		case d.Group != "":
			return r, &InvalidError{Field: "group", Reason: "gets no reports about people; send them to the administrators of the site", Code: "site_only"}
		}
		r.User = named.User
		return r, nil
	}
	places, err := readablePlaces(ctx, q, sets, d.Post)
	if err != nil {
		return r, err
	}
	r.Post, r.Comment = d.Post, d.Comment
	if d.Comment == 0 {
		err = q.QueryRow(ctx, post, d.Post, quoted).Scan(&r.User, &r.Text)
	} else {
		err = q.QueryRow(ctx, comment, d.Comment, d.Post, quoted).Scan(&r.User, &r.Text)
	}
	if err != nil {
		return r, err
	}
	if _, banned := sets.Bans[r.User]; banned {
		return r, ErrNotFound
	}
	if d.Group == "" {
		return r, nil
	}
	group, err := findGroup(ctx, q, d.Group)
	if err != nil && !missing(err) {
		return r, err
	}
	if err != nil || !slices.ContainsFunc(places, func(t Timeline) bool { return t.What == WhatGroup && GroupID(t.TheirID) == group }) {
		return r, &InvalidError{Field: "group", Reason: "does not have the post", Code: "not_there"}
	}
	r.Group = group
	return r, nil
}

// A ReportForm is what the form for a report shows.
type ReportForm struct {
	Author  string       // the name of the post's author; empty: the report is about a person
	Who     string       // the name of the reported person, or of the author of the post or comment
	Text    string       // how the post or comment begins
	Private bool         // not all visitors may read the post
	Groups  []*GroupCard // whose administrators may get the report
}

// ReportForm returns what the form for a report shows. Group, Reason and Quote of the draft do not count. The errors are those of [Store.SendReport].
func (s *Store) ReportForm(ctx context.Context, viewer UserID, d ReportDraft) (f *ReportForm, err error) {
	defer primary.Wrap(&err, "report form of user %d", viewer)
	err = s.db.View(ctx, func(q primary.Querier) error {
		sets, err := ReadSets(ctx, q, viewer)
		if err != nil {
			return err
		}
		d.Group = ""
		r, err := readReported(ctx, q, sets, d)
		if err != nil {
			return err
		}
		f = &ReportForm{Text: r.Text}
		var groups []GroupID
		people := []UserID{r.User}
		var author UserID
		if r.Post != 0 {
			deciding, timelines, err := readAccessFacts(ctx, q, []PostID{r.Post})
			if err != nil {
				return err
			}
			f.Private = true
			author = deciding[r.Post].Author
			people = append(people, author)
			for _, id := range deciding[r.Post].Places {
				t := timelines[id]
				f.Private = f.Private && t.Access != AccessPublic
				if t.What == WhatGroup {
					groups = append(groups, GroupID(t.TheirID))
				}
			}
		}
		users, cards, err := readCards(ctx, q, people, groups)
		if err != nil {
			return err
		}
		for _, id := range groups {
			if cards[id] != nil {
				f.Groups = append(f.Groups, cards[id])
			}
		}
		if who := users[r.User]; who != nil {
			f.Who = who.Name
		}
		if who := users[author]; who != nil {
			f.Author = who.Name
		}
		return nil
	})
	return f, err
}
