package page

import (
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// The people and groups of the sample pages. Anneke (1) is mostly the viewer.
const (
	anneke timeline.UserID = iota + 1
	joost
	sanne
	emre
	lotte
	vera
	pieter
	olga
)

const (
	cooks timeline.GroupID = iota + 1
	gitApply
)

// feedOf is the id of a person's feed among the sample timelines.
func feedOf(u timeline.UserID) timeline.Timeline {
	return timeline.Timeline{ID: timeline.TimelineID(u), What: timeline.WhatUser, TheirID: int64(u), Access: timeline.AccessPublic}
}

func groupFeed(g timeline.GroupID) timeline.Timeline {
	return timeline.Timeline{ID: timeline.TimelineID(100 + g), What: timeline.WhatGroup, TheirID: int64(g), Access: timeline.AccessPublic}
}

func directsOf(u timeline.UserID) timeline.Timeline {
	return timeline.Timeline{ID: timeline.TimelineID(200 + u), What: timeline.WhatUserDirects, TheirID: int64(u), Access: timeline.AccessOwner}
}

func privateFeedOf(u timeline.UserID) timeline.Timeline {
	return timeline.Timeline{ID: timeline.TimelineID(300 + u), What: timeline.WhatUserPrivate, TheirID: int64(u), Access: timeline.AccessPrivate}
}

// with is a timeline with another access.
func with(a timeline.Access, t timeline.Timeline) timeline.Timeline {
	t.Access = a
	return t
}

func at(clock string) time.Time {
	t, err := time.Parse("2006-01-02 15:04:05", clock)
	if err != nil {
		panic(err)
	}
	return t
}

func sampleCards() Cards {
	user := func(id timeline.UserID, name, display, status string) *timeline.UserCard {
		return &timeline.UserCard{ID: id, Name: name, DisplayName: display, Status: status, CreatedAt: at("2024-03-01 09:00:00")}
	}
	cards := Cards{
		Users: map[timeline.UserID]*timeline.UserCard{
			anneke: user(anneke, "anneke", "Anneke de Wit", "public"),
			joost:  user(joost, "joost", "Joost van Dam", "public"),
			sanne:  user(sanne, "sanne", "Sanne Bakker", "private"),
			emre:   user(emre, "emre", "Emre Yıldız", "public"),
			lotte:  user(lotte, "lotte-k", "Lotte K.", "protected"),
			vera:   user(vera, "vera", "Вера Павлова", "public"),
			pieter: user(pieter, "pieter", "Pieter", "public"),
			olga:   user(olga, "olga", "Olga", "public"),
		},
		Groups: map[timeline.GroupID]*timeline.GroupCard{
			cooks:    {ID: cooks, Name: "cooks", DisplayName: "Cooks of Noord", Description: "What is on the stove, north of the IJ.", Status: "public", Posting: "members"},
			gitApply: {ID: gitApply, Name: "git-apply", DisplayName: "git apply", Status: "private", Posting: "members"},
		},
	}
	cards.Users[joost].Description = "Bridges, locks and the people who open them.\nWrites at https://example.nl/bruggen."
	return cards
}

// sampleSets returns the sets of a viewer; 0 is a visitor.
func sampleSets(u timeline.UserID) *timeline.Sets {
	s := &timeline.Sets{User: u}
	if u != 0 {
		s.Own = map[timeline.What]timeline.TimelineID{timeline.WhatUser: timeline.TimelineID(u)}
		s.Subscribed = map[timeline.TimelineID]bool{}
		for _, t := range []timeline.Timeline{feedOf(sanne), groupFeed(gitApply), privateFeedOf(vera)} {
			s.Subscribed[t.ID] = true
		}
	}
	return s
}

// post returns an entry that is as plain as possible; the options add to it.
func post(id timeline.PostID, author timeline.UserID, words string, options ...func(*river.Entry)) river.Entry {
	published := at("2026-11-18 08:12:30").Add(time.Duration(id) * 37 * time.Minute)
	e := river.Entry{
		Fold: &timeline.Fold{
			Post: id, Version: 3, Author: author,
			Text: timeline.TextFold{Text: words, PublishedAt: published, UpdatedAt: published, FreshAt: published.UnixMilli(), Linebreaks: true},
		},
		Places: []timeline.Timeline{feedOf(author)},
		Public: true,
		Tag:    "tag" + string(rune('a'+id%26)),
	}
	for _, o := range options {
		o(&e)
	}
	return e
}

func to(places ...timeline.Timeline) func(*river.Entry) {
	return func(e *river.Entry) { e.Places = places }
}

func locked(e *river.Entry)  { e.Public = false }
func hidden1(e *river.Entry) { e.Hidden = true }
func nsfw(e *river.Entry)    { e.Fold.Text.NSFW = true }
func liked(e *river.Entry)   { e.Liked = true }
func single(e *river.Entry)  { e.Fold.Comments.All = true }

func faved(n int) func(*river.Entry) {
	return func(e *river.Entry) { e.Fold.Likes.Favs = n }
}

func likedBy(more int, users ...timeline.UserID) func(*river.Entry) {
	return func(e *river.Entry) { e.Fold.Likes = timeline.LikesFold{Users: users, More: more} }
}

func because1(what timeline.What, ids ...int64) func(*river.Entry) {
	return func(e *river.Entry) {
		var list []river.Reason
		for kind, id := range e.Reasons.All() {
			list = append(list, river.Reason{What: kind, ID: id})
		}
		for _, id := range ids {
			list = append(list, river.Reason{What: what, ID: id})
		}
		e.Reasons = river.ReasonsOf(list...)
	}
}

// A said is one comment of a sample.
type said struct {
	by    timeline.UserID
	words string
}

// comments adds comments, with folded more of them behind the first.
func commented(folded int, all ...said) func(*river.Entry) {
	return func(e *river.Entry) {
		c := &e.Fold.Comments
		for i, s := range all {
			id := timeline.CommentID(int64(e.Fold.Post)*100 + int64(i))
			when := e.Fold.Text.PublishedAt.Add(time.Duration(i+1) * 11 * time.Minute)
			c.Comments = append(c.Comments, timeline.Comment{ID: id, Post: e.Fold.Post, User: s.by, Text: s.words, CreatedAt: when})
		}
		c.Count = len(all) + folded
		if folded > 0 {
			c.Gap = 1
		}
	}
}

// sampleEntries returns an entry for each thing that a river can show.
func sampleEntries() []river.Entry {
	edited := at("2026-11-19 10:00:00")
	entries := []river.Entry{
		post(31, joost, "The lock at Zeeburg opens at seven again from Monday on, and the first barge through is always the same one.\n\nIf you have not stood there with coffee and watched forty metres of gravel go by at walking pace: it is the best quarter of an hour this city gives away. https://example.nl/sluizen/zeeburg/openingstijden?taal=nl&seizoen=winter",
			likedBy(4, olga, anneke, emre), liked, faved(3), func(e *river.Entry) { e.Faved = true },
			commented(9,
				said{emre, "Monday then. Who brings the coffee?"},
				said{sanne, "I was there last year when it was minus six and the gates had ice on them. Worth every toe."})),
		post(30, sanne, "Pea soup is a matter of patience, not of peas. The spoon has to stand up by itself, and it has to do so the day after.",
			to(with(timeline.AccessPrivate, feedOf(sanne)), groupFeed(cooks)), because1(timeline.WhatUserLikes, int64(joost), int64(emre)),
			likedBy(0, emre, joost),
			commented(0,
				said{anneke, "The day after, with rye bread. @joost will tell you otherwise, and is wrong."},
				said{joost, "I am never wrong about soup.\nAbout trams, perhaps."})),
		post(29, anneke, "Small thing I like about this place: nothing here asks me to look at it again."),
		post(28, vera, "Сегодня первый раз проехала на велосипеде через весь город без единого светофора. Оказалось, так можно, если знать дворы: https://ru.wikipedia.org/wiki/%D0%90%D0%BC%D1%81%D1%82%D0%B5%D1%80%D0%B4%D0%B0%D0%BC",
			because1(timeline.WhatUserComments, int64(lotte)), likedBy(0, lotte),
			commented(0, said{lotte, "Покажешь дорогу?"})),
		post(27, emre, "Are you still coming on Friday? I have the keys, the projector and no film.", to(directsOf(emre), directsOf(anneke)), locked,
			commented(0, said{anneke, "Yes. And I have the film."})),
		post(26, lotte, "Only for those who are signed in: the party is upstairs.", to(with(timeline.AccessProtected, feedOf(lotte))), locked, nsfw, faved(1)),
		post(25, pieter, "An advertisement for my own shop, once more.", hidden1),
		post(24, olga, "http-push: refactor the walk over remote refs\n\nThe loop kept two lists in step by hand; a single one with a flag is shorter and can't get out of step. While at it, stop leaking the request when the server answers 404.\n\nSee also https://example.org/list/msg(2214).",
			to(with(timeline.AccessPrivate, groupFeed(gitApply)), privateFeedOf(olga)), locked,
			commented(0,
				said{pieter, "Looks right to me. One nit: the flag wants a better name."},
				said{olga, "Renamed it to `seen`, thanks."},
				said{anneke, "And tests?"})),
	}
	entries[0].Fold.Text.Platform = "Android App"
	entries[1].Fold.Comments.Comments[0].UpdatedAt = &edited
	entries[1].Fold.Comments.Comments[1].Likes, entries[1].Fold.Comments.Comments[1].Likers = 2, []timeline.UserID{anneke, emre}
	entries[2].Fold.Text.CommentsDisabled = true
	return entries
}

// sampleShell returns the frame of a page for a viewer; 0 is a visitor.
func sampleShell(u timeline.UserID, title, path string) Shell {
	s := Shell{Title: title, Path: path}
	if u != 0 {
		s.Viewer = &Viewer{Card: sampleCards().Users[u], Requests: 2}
	}
	return s
}

// sampleRiver is a page of a river with the entries.
func sampleRiver(u timeline.UserID, kind river.Kind, title, path string, entries ...river.Entry) RiverModel {
	cards := sampleCards()
	for i := range entries {
		entries[i].River = river.Key{Viewer: u, What: kind}
	}
	return RiverModel{
		Shell: sampleShell(u, title, path),
		UUID:  "0b0e7a54-5d0f-4a6c-9d5a-0a4f4b3f5a11",
		View: &river.View{
			Key: river.Key{Viewer: u, What: kind}, Epoch: "e1", Counter: 42, Position: 1234, Live: true,
			Sets: sampleSets(u), Entries: entries, Users: cards.Users, Groups: cards.Groups,
		},
	}
}
