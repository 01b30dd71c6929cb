package discover

import (
	"context"
	"strings"
	"unicode"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// maxFindText is the maximum length of a text to find people and groups by.
const maxFindText = 100

// Find returns people and groups that match a text, up to want of each. A match has a
// name that begins with the text, or, for each word of the text, a word that begins with
// it in its display name or in a group's description. The account with exactly this name
// comes first, then those that the viewer follows, then those with names that begin with
// the text.
//
// Accounts and groups are public, even if their posts are not. People across a ban from
// the viewer and suspended people are left out.
func (s *Store) Find(ctx context.Context, viewer timeline.UserID, text string, want int) (people []timeline.UserID, groups []timeline.GroupID, err error) {
	defer primary.Wrap(&err, "find %q", text)
	const users = `
		select u.id
		from users u left join timelines t on t.what = 'user' and t.their_id = u.id
		where u.status <> 'deleted' and u.suspended_at is null
			and (u.name >= $2 and u.name < $3 or $4 <> '' and to_tsvector('simple', u.name || ' ' || u.display_name) @@ $4::tsquery
				or u.id = (select their_id from names where what = 'user' and name = $2))
			and not exists (select from bans where user_id = $1 and target_id = u.id)
			and not exists (select from bans where user_id = u.id and target_id = $1)
		order by u.name = $2 desc, exists (select from subscriptions s where s.user_id = $1 and s.timeline_id = t.id) desc,
			u.name >= $2 and u.name < $3 desc, u.name
		limit $5`
	const theGroups = `
		select g.id
		from groups g left join timelines t on t.what = 'group' and t.their_id = g.id
		where g.status <> 'deleted'
			and (g.name >= $2 and g.name < $3
				or $4 <> '' and to_tsvector('simple', g.name || ' ' || g.display_name || ' ' || g.description) @@ $4::tsquery
				or g.id = (select their_id from names where what = 'group' and name = $2))
		order by g.name = $2 desc, exists (select from subscriptions s where s.user_id = $1 and s.timeline_id = t.id) desc,
			g.name >= $2 and g.name < $3 desc, g.name
		limit $5`
	text, err = cleanFindText(text)
	if err != nil {
		return nil, nil, err
	}
	// Names that begin with a text are sorted between the text and the text followed by
	// the last character of Unicode.
	args := []any{primary.Planned, viewer, text, text + "\U0010ffff", prefixQuery(text), want}
	err = s.db().View(ctx, func(q primary.Querier) error {
		if err := primary.Read(ctx, q, &people, users, args...); err != nil {
			return err
		}
		return primary.Read(ctx, q, &groups, theGroups, args...)
	})
	return people, groups, err
}

// cleanFindText returns the text in the form of names: in lower case, without an @. The
// error is an [text.InvalidError].
func cleanFindText(typed string) (string, error) {
	typed, err := text.CleanLine("q", typed, maxFindText)
	if err != nil {
		return "", err
	}
	typed = strings.TrimLeft(text.Lower(typed), "@")
	if !strings.ContainsFunc(typed, inWord) {
		return "", &timeline.InvalidError{Field: "q", Reason: "has no letter in it that a name could have", Code: "no_letter"}
	}
	return typed, nil
}

func inWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.IsMark(c) }

// prefixQuery returns a tsquery for names with a word that begins with the first word of the
// text, a word that begins with the second, and so on.
func prefixQuery(text string) string {
	words := strings.FieldsFunc(text, func(c rune) bool { return !inWord(c) })
	for i, word := range words {
		words[i] = "'" + word + "':*"
	}
	return strings.Join(words, "&")
}
