package timeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/internal/primary"
	"amstel.dev/amstel/timeline/query"
)

// searchLangs are languages that have a text search configuration of their own in
// search_config of the migrations; all others have that of "", the first.
var searchLangs = []string{"", "ar", "da", "nl", "fi", "fr", "de", "hu", "it", "no", "pt", "ro", "es", "sv", "tr"}

// Compile makes a search ready: it finds whom its names stand for, and has its
// words read by each language's rules. A name that nobody has, or words of which
// none can be looked for, are an [InvalidError] of the field q.
//
// A text's words are stored by the rules of its own language. So the words asked
// for, and those that must not be there, are looked for in the form that this
// language gives them; words that are in every text of the language (the, and) are
// left out. Where the default language leaves them all out, nobody looks for any.
func (sn *Snapshot) Compile(ctx context.Context, s query.Search) (_ *Query, err error) {
	defer primary.Wrap(&err, "compile a search")
	q := new(Query)
	if err := sn.compileNames(ctx, s, q); err != nil {
		return nil, err
	}
	if err := sn.compileWords(ctx, s, q); err != nil {
		return nil, err
	}
	q.Text.seal()
	q.Talk.seal()
	for _, day := range []struct {
		text string
		to   *PostID
	}{{s.After, &q.After}, {s.Before, &q.Before}} {
		if day.text == "" {
			continue
		}
		at, err := time.Parse(query.Day, day.text)
		if err != nil {
			return nil, fmt.Errorf("compile %q: %w", s, err)
		}
		*day.to = max(FirstID(at), 1) // 0 is no bound
	}
	return q, nil
}

// compileNames finds whom the names of a search stand for.
func (sn *Snapshot) compileNames(ctx context.Context, s query.Search, q *Query) error {
	people := func(sign string, names []string, to *[]UserID) error {
		for _, name := range names {
			n, err := sn.searched(ctx, sign, name, WhatUser)
			if err != nil {
				return err
			}
			*to = append(*to, n.User)
		}
		slices.Sort(*to)
		*to = slices.Compact(*to) // two names may be one person's
		return nil
	}
	timelines := func(sign string, names []string, what What, to *[]TimelineID) error {
		for _, name := range names {
			n, err := sn.searched(ctx, sign, name, what)
			if err != nil {
				return err
			}
			found, err := sn.TimelinesOf(ctx, max(int64(n.User), int64(n.Group)), what)
			if err != nil {
				return err
			}
			for id := range found {
				*to = append(*to, id)
			}
		}
		slices.Sort(*to)
		*to = slices.Compact(*to)
		return nil
	}
	return errors.Join(
		people("from:", s.From, &q.From), people("-from:", s.Not.From, &q.NotFrom),
		timelines("group:", s.Groups, WhatGroup, &q.Groups), timelines("-group:", s.Not.Groups, WhatGroup, &q.NotGroups),
		timelines("liked-by:", s.LikedBy, WhatUserLikes, &q.In), timelines("-liked-by:", s.Not.LikedBy, WhatUserLikes, &q.NotIn),
		timelines("commented-by:", s.TalkedBy, WhatUserComments, &q.In), timelines("-commented-by:", s.Not.TalkedBy, WhatUserComments, &q.NotIn),
	)
}

// searched finds whom a name of a search stands for: a group, or a person, be the
// account deleted since. A search that was understood once always is, and then
// finds nothing.
func (sn *Snapshot) searched(ctx context.Context, sign, name string, what What) (Named, error) {
	const find = `
		select name, case what when 'user' then their_id else 0 end, case what when 'group' then their_id else 0 end
		from names where name = $1`
	var n Named
	err := sn.tx.QueryRow(ctx, find, strings.ToLower(name)).Scan(&n.Name, &n.User, &n.Group)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return n, query.Invalid("has "+sign+name+", and nobody has that name", "no_person", name)
	case err != nil:
		return n, err
	case what == WhatGroup && n.Group == 0:
		return n, query.Invalid("has "+sign+name+", and that is no group", "no_group", name)
	case what != WhatGroup && n.User == 0:
		return n, query.Invalid("has "+sign+name+", and that is a group", "group", "")
	}
	return n, nil
}

// compileWords has the words of a search read by the rules of each language.
func (sn *Snapshot) compileWords(ctx context.Context, s query.Search, q *Query) error {
	words := Wording{}
	if len(s.Words)+len(s.Not.Words) > 0 {
		positive, err := sn.readTerms(ctx, s.Words)
		if err != nil {
			return err
		}
		negative, err := sn.readTerms(ctx, s.Not.Words)
		if err != nil {
			return err
		}
		if words, err = together(positive, negative); err != nil {
			return err
		}
	}
	if s.InComments {
		q.Talk = words
	} else {
		q.Text = words
	}
	for _, tag := range s.Tags {
		q.Tags = append(q.Tags, tag)
		q.Text.ask(tagLexeme(tag))
		if q.Text.Needs == nil {
			q.Text.Needs = [][]string{{}}
		}
		for i := range q.Text.Needs {
			q.Text.Needs[i] = append(q.Text.Needs[i], "#"+tag)
		}
	}
	for _, tag := range s.Not.Tags {
		q.Text.ask("!" + tagLexeme(tag))
	}
	return nil
}

// tagLexeme is a tag in a query; there is nothing in tags that must be escaped.
func tagLexeme(tag string) string { return "'#" + tag + "'" }

// A term is a word or a phrase, as one language reads it: a query, which is empty
// where the language leaves the words out, and the lexemes in it.
type term struct {
	query   string
	lexemes []string
}

// readTerms reads words and phrases as each language does: a row a language, the
// default one first, a column a term.
func (sn *Snapshot) readTerms(ctx context.Context, terms []string) ([][]term, error) {
	const query = `
		select phraseto_tsquery(search_config(l.lang), t.term)::text, tsvector_to_array(to_tsvector(search_config(l.lang), t.term))
		from unnest($1::text[]) with ordinality l(lang, i), unnest($2::text[]) with ordinality t(term, j)
		order by l.i, t.j`
	if len(terms) == 0 {
		return nil, nil
	}
	rows, err := sn.tx.Query(ctx, query, searchLangs, terms)
	if err != nil {
		return nil, fmt.Errorf("read the words of a search: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t term, err error) {
		return t, row.Scan(&t.query, &t.lexemes)
	})
	if err != nil {
		return nil, fmt.Errorf("read the words of a search: %w", err)
	}
	return slices.Collect(slices.Chunk(all, len(terms))), nil
}

// anything is true of every text: no text has such a lexeme.
const anything = "!'@'"

// together asks, in each language, for all the terms that must be there, and for
// none of those that must not. Either may be nil.
func together(positive, negative [][]term) (Wording, error) {
	var w Wording
	var forms []string
	for i := range searchLangs {
		form, lexemes := "", []string{}
		if positive != nil {
			for _, t := range positive[i] {
				form = and(form, t.query)
				lexemes = append(lexemes, t.lexemes...)
			}
			if form == "" && i == 0 {
				return w, query.Invalid("has only words that are in every text: add another", "common", "")
			}
			if form == "" {
				w.Own = append(w.Own, "")
				continue
			}
		}
		if negative != nil {
			form = and(form, noneOf(negative[i]))
		}
		if form == "" {
			form = anything
		}
		w.Own = append(w.Own, form)
		if slices.Contains(forms, form) {
			continue
		}
		forms = append(forms, form)
		if positive != nil {
			slices.Sort(lexemes)
			w.Needs = append(w.Needs, slices.Compact(lexemes))
		}
	}
	if len(forms) == 1 && !slices.Contains(w.Own, "") {
		w.Own = nil
	}
	if len(forms) > 1 || forms[0] != anything {
		w.TSQuery = "(" + strings.Join(forms, "|") + ")"
	}
	return w, nil
}

// noneOf asks for none of the terms; empty: the language leaves them all out.
func noneOf(terms []term) string {
	var forms []string
	for _, t := range terms {
		if t.query != "" {
			forms = append(forms, "("+t.query+")")
		}
	}
	if len(forms) == 0 {
		return ""
	}
	return "!(" + strings.Join(forms, "|") + ")"
}

// and joins two queries; either may be empty.
func and(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "&" + "(" + b + ")"
}
