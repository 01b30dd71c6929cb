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

// searchLangs are the languages that have a text search configuration of their own in the function
// search_config of the migrations. All other languages have the configuration of the first, "".
var searchLangs = []string{"", "ar", "da", "nl", "fi", "fr", "de", "hu", "it", "no", "pt", "ro", "es", "sv", "tr"}

// Compile returns a query that is ready to run: it replaces the names in a search by ids, and has
// PostgreSQL read the words by the rules of each language. The error is an [InvalidError] of the
// field q if a name belongs to no account, or if no word can be searched for.
//
// The words of a text are stored by the rules of the text's own language. So each word
// of the search is looked for in the form that this language gives it. Example: "häuser"
// is stored as "haus" in a German text and as "häuser" in an English one, and the query
// asks for "haus" in German texts and for "häuser" in English ones. Words that the
// language ignores (in English "the", "and") are left out. If the default language
// ignores all words of the search, the search is refused.
func (sn *Snapshot) Compile(ctx context.Context, s query.Search) (_ *Query, err error) {
	defer primary.Wrap(&err, "compile a search")
	q := new(Query)
	if err := sn.compileNames(ctx, s, q); err != nil {
		return nil, err
	}
	if err := sn.compileWords(ctx, s, q); err != nil {
		return nil, err
	}
	q.Text.setKey()
	q.Comment.setKey()
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
		*day.to = max(FirstID(at), 1) // 0 would be no bound
	}
	return q, nil
}

// compileNames replaces the names of a search by ids.
func (sn *Snapshot) compileNames(ctx context.Context, s query.Search, q *Query) error {
	people := func(sign string, names []string, to *[]UserID) error {
		for _, name := range names {
			n, err := sn.findNamed(ctx, sign, name, WhatUser)
			if err != nil {
				return err
			}
			*to = append(*to, n.User)
		}
		slices.Sort(*to)
		*to = slices.Compact(*to) // two names may be one person's: the present name and an earlier one
		return nil
	}
	timelines := func(sign string, names []string, what What, to *[]TimelineID) error {
		for _, name := range names {
			n, err := sn.findNamed(ctx, sign, name, what)
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
		timelines("commented-by:", s.CommentedBy, WhatUserComments, &q.In), timelines("-commented-by:", s.Not.CommentedBy, WhatUserComments, &q.NotIn),
	)
}

// findNamed returns the person or group of a name, even if the account is deleted: a search that
// was valid once stays valid, and then finds nothing.
func (sn *Snapshot) findNamed(ctx context.Context, sign, name string, what What) (Named, error) {
	const find = `
		select name, case what when 'user' then their_id else 0 end, case what when 'group' then their_id else 0 end
		from names where name = $1`
	var n Named
	err := sn.tx.QueryRow(ctx, find, strings.ToLower(name)).Scan(&n.Name, &n.User, &n.Group)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return n, query.Invalid("has "+sign+name+", and no one has that name", "no_person", name)
	case err != nil:
		return n, err
	case what == WhatGroup && n.Group == 0:
		return n, query.Invalid("has "+sign+name+", and that is no group", "no_group", name)
	case what != WhatGroup && n.User == 0:
		return n, query.Invalid("has "+sign+name+", and that is a group", "group", "")
	}
	return n, nil
}

// compileWords reads the words of a search by the rules of each language.
func (sn *Snapshot) compileWords(ctx context.Context, s query.Search, q *Query) error {
	words := WordCondition{}
	if len(s.Words)+len(s.Not.Words) > 0 {
		positive, err := sn.readTerms(ctx, s.Words)
		if err != nil {
			return err
		}
		negative, err := sn.readTerms(ctx, s.Not.Words)
		if err != nil {
			return err
		}
		if words, err = combineTerms(positive, negative); err != nil {
			return err
		}
	}
	if s.InComments {
		q.Comment = words
	} else {
		q.Text = words
	}
	for _, tag := range s.Tags {
		q.Tags = append(q.Tags, tag)
		q.Text.addLexeme("#" + tag)
	}
	for _, kind := range s.Has {
		q.Text.addLexeme(fileLexeme(kind))
	}
	for _, tag := range s.Not.Tags {
		q.Text.addCondition("!" + quoteLexeme("#"+tag))
	}
	for _, kind := range s.Not.Has {
		q.Text.addCondition("!" + quoteLexeme(fileLexeme(kind)))
	}
	return nil
}

// A term is a word or a phrase in one language: a tsquery, which is empty if the language
// ignores the words, and its lexemes.
type term struct {
	query   string
	lexemes []string
}

// readTerms reads words and phrases by the rules of each language. The result has a row
// for each language, the default one first, and a column for each term.
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

// anything is a tsquery that matches every text, because no text has this lexeme.
const anything = "!'@'"

// combineTerms returns a condition that requires, in each language, all positive terms and no
// negative term. Either argument may be nil.
func combineTerms(positive, negative [][]term) (WordCondition, error) {
	var w WordCondition
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

// noneOf returns a tsquery for texts with none of the terms; "" if the language ignores
// them all.
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

// and joins two tsqueries; either may be "".
func and(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return a + "&" + "(" + b + ")"
}
