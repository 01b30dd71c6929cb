package discover

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/text"
)

// maxFindText is the largest length, in characters, of a text by which people and groups are found.
const maxFindText = 100

// The conditions of the statements that list people and groups. $1 is the viewer, $2 the
// text, $3 the end of the names that begin with the text, $4 the words, and $5 the pattern
// of [partPattern].
const (
	visibleUsers = `u.status <> 'deleted' and u.suspended_at is null
			and not exists (select from bans where user_id = $1 and target_id = u.id)
			and not exists (select from bans where user_id = u.id and target_id = $1)`
	visibleGroups = `g.status <> 'deleted' and $1::bigint is not null`
	matchingUsers = `(u.name >= $2 and u.name < $3
				or $4 <> '' and to_tsvector('simple', u.name || ' ' || u.display_name) @@ $4::tsquery
				or $5 <> '' and (u.name || ' ' || u.display_name) ilike $5
				or u.id = (select their_id from names where what = 'user' and name = $2))`
	matchingGroups = `(g.name >= $2 and g.name < $3
				or $4 <> '' and to_tsvector('simple', g.name || ' ' || g.display_name || ' ' || g.description) @@ $4::tsquery
				or $5 <> '' and (g.name || ' ' || g.display_name) ilike $5
				or g.id = (select their_id from names where what = 'group' and name = $2))`
)

// Find returns people and groups that match a text, up to want of each. An account matches in two
// ways: it has the text somewhere in its name and display name; or each word of the text is the
// beginning of a word in its name, its display name, or a group's description. A text of one or two
// letters matches only the beginnings of words. The account with exactly this name, now or earlier,
// matches too.
//
// The account with exactly this name comes first, then accounts that the viewer follows, then
// accounts with a name that begins with the text.
//
// All viewers may know that an account exists, even if they may not read its posts. Find leaves out
// people across a ban from the viewer, and suspended people.
func (s *Store) Find(ctx context.Context, viewer timeline.UserID, text string, want int) (people []timeline.UserID, groups []timeline.GroupID, err error) {
	defer primary.Wrap(&err, "find %q", text)
	args, err := findArgs(viewer, text)
	if err != nil {
		return nil, nil, err
	}
	args = append(args, want)
	err = s.db().View(ctx, func(q primary.Querier) error {
		if err := primary.Read(ctx, q, &people, findUsers, args...); err != nil {
			return err
		}
		return primary.Read(ctx, q, &groups, findGroups, args...)
	})
	return people, groups, err
}

// The statements of Find, whose last parameter is how many are wanted.
const (
	findUsers = `
		select u.id
		from users u left join timelines t on t.what = 'user' and t.their_id = u.id
		where ` + visibleUsers + ` and ` + matchingUsers + `
		order by u.name = $2 desc, exists (select from subscriptions s where s.user_id = $1 and s.timeline_id = t.id) desc,
			u.name >= $2 and u.name < $3 desc, u.name
		limit $6`
	findGroups = `
		select g.id
		from groups g left join timelines t on t.what = 'group' and t.their_id = g.id
		where ` + visibleGroups + ` and ` + matchingGroups + `
		order by g.name = $2 desc, exists (select from subscriptions s where s.user_id = $1 and s.timeline_id = t.id) desc,
			g.name >= $2 and g.name < $3 desc, g.name
		limit $6`
)

// findArgs returns the arguments of a statement that looks for a text.
func findArgs(viewer timeline.UserID, typed string) ([]any, error) {
	text, err := cleanFindText(typed)
	if err != nil {
		return nil, err
	}
	// Names that begin with a text are sorted between the text and the text followed by
	// the last character of Unicode.
	return []any{primary.Planned, viewer, text, text + "\U0010ffff", prefixQuery(text), partPattern(text)}, nil
}

// partLetters is the least length of a text that is searched for within words. The index for such
// searches, of the extension pg_trgm, knows texts by each three letters in a row.
const partLetters = 3

// partPattern returns the pattern of names that have the text anywhere, or "" if the text is too
// short for a search within words.
func partPattern(text string) string {
	if utf8.RuneCountInString(text) < partLetters {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text) + "%"
}

// cleanFindText returns the text in the form of names: in lower case, without an @. It returns a
// [text.InvalidError] for a text that can't be searched for.
func cleanFindText(typed string) (string, error) {
	typed, err := text.CleanLine("q", typed, maxFindText)
	if err != nil {
		return "", err
	}
	typed = strings.TrimLeft(text.Lower(typed), "@")
	if !strings.ContainsFunc(typed, inWord) {
		return "", &timeline.InvalidError{Field: "q", Reason: "has no letter, digit, - or _", Code: "no_letter"}
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
