package page

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// in puts an entry into a river of a kind.
func in(kind river.Kind, id int64) func(*river.Entry) {
	return func(e *river.Entry) { e.River = river.Key{Viewer: anneke, What: kind, TheirID: id} }
}

// reasonLines returns a line for each reason: the reason in words, and the action that undoes
// it.
func reasonLines(whys []Why) (all []string) {
	for _, w := range whys {
		line := w.Kind + ": " + w.Text()
		if w.Undo != nil {
			line += " | " + w.Undo.Label + ": " + w.Undo.Method + " " + w.Undo.Path
			if w.Undo.Body != nil {
				line += fmt.Sprint(" ", w.Undo.Body)
			}
		}
		all = append(all, line)
	}
	return all
}

func TestWhy(t *testing.T) {
	t.Parallel()
	home, list := in(river.KindHome, int64(anneke)), in(river.KindList, 9)
	user := func(ids ...int64) func(*river.Entry) { return because1(timeline.WhatUser, ids...) }
	for _, tt := range []struct {
		name  string
		entry river.Entry
		want  []string
	}{
		{"home: of a friend", post(7, joost, "x", home, user(int64(joost))), []string{
			"user: You subscribe to Joost van Dam. | Unsubscribe: DELETE /api/v1/users/joost/subscribers"}},
		{"home: of the viewer, in two feeds", post(7, anneke, "x", home, user(int64(anneke)), because1(timeline.WhatUserPrivate, int64(anneke))), []string{
			"user: It is your own post. | Hide my own posts on my home page: PATCH /api/v1/users/1 map[user:map[own_posts:false]]"}},
		{"home: in a private feed and a group", post(7, vera, "x", home, because1(timeline.WhatUserPrivate, int64(vera)), because1(timeline.WhatGroup, int64(cooks))), []string{
			"user_private: You subscribe to the private feed of Вера Павлова. | Leave the private feed: DELETE /api/v1/users/vera/private/subscribers",
			"group: You are a member of Cooks of Noord. | Leave Cooks of Noord: DELETE /api/v1/groups/cooks/subscribers"}},
		{"home: a direct", post(7, emre, "x", home, to(directsOf(emre), directsOf(anneke)), because1(timeline.WhatUserDirects, int64(anneke))), []string{
			"user_directs: Emre Yıldız sent it to you. | Leave: DELETE /api/v1/posts/7/recipients"}},
		{"home: a direct to a person and a group", post(7, emre, "x", home, to(directsOf(emre), directsOf(anneke), groupFeed(cooks)), because1(timeline.WhatUserDirects, int64(anneke))), []string{
			"user_directs: Emre Yıldız sent it to you."}},
		{"home: by what friends do, and the viewer", post(7, pieter, "x", home, because1(timeline.WhatUserLikes, int64(anneke), int64(emre)), because1(timeline.WhatUserComments, int64(anneke), int64(lotte))), []string{
			"user_likes: You liked it. | Unlike: DELETE /api/v1/posts/7/likes",
			"user_likes: Emre Yıldız liked it. | Mute the likes of Emre Yıldız: POST /api/v1/users/emre/mute map[likes:true]",
			"user_comments: You commented on it.",
			"user_comments: Lotte K. commented on it. | Mute the comments of Lotte K.: POST /api/v1/users/lotte-k/mute map[comments:true]"}},
		{"list: by a person in it", post(7, joost, "x", list, user(int64(joost)), because1(timeline.WhatUserComments, int64(joost))), []string{
			"user: Joost van Dam wrote it and is in this list. | Remove from this list: DELETE /api/v1/lists/9/members map[name:joost]",
			"user_comments: Joost van Dam commented on it. | Mute the comments of Joost van Dam: POST /api/v1/users/joost/mute map[comments:true]"}},
		{"list: a private feed and a group", post(7, vera, "x", list, because1(timeline.WhatUserPrivate, int64(vera)), because1(timeline.WhatGroup, int64(cooks))), []string{
			"user_private: It was posted to the private feed of Вера Павлова, which is in this list. | Remove from this list: DELETE /api/v1/lists/9/members map[name:vera private:true]",
			"group: It was posted to Cooks of Noord, which is in this list. | Remove from this list: DELETE /api/v1/lists/9/members map[name:cooks]"}},
		{"list: brought by a person in it", post(7, pieter, "x", list, because1(timeline.WhatUserLikes, int64(anneke), int64(emre)), because1(timeline.WhatUserComments, int64(emre))), []string{
			"user_likes: You liked it. | Unlike: DELETE /api/v1/posts/7/likes",
			"user_likes: Emre Yıldız liked it. | Mute the likes of Emre Yıldız: POST /api/v1/users/emre/mute map[likes:true]",
			"user_comments: Emre Yıldız commented on it. | Mute the comments of Emre Yıldız: POST /api/v1/users/emre/mute map[comments:true]",
			"list: You are in this list. | Remove from this list: DELETE /api/v1/lists/9/members map[name:anneke]",
			"list: Emre Yıldız is in this list. | Remove from this list: DELETE /api/v1/lists/9/members map[name:emre]"}},
		{"list: of the viewer", post(7, anneke, "x", list, user(int64(anneke))), []string{
			"user: It is your own post, and your feed is in this list. | Remove from this list: DELETE /api/v1/lists/9/members map[name:anneke]"}},
		{"a person's page", post(7, joost, "x", in(river.KindUser, int64(joost)), user(int64(joost))), []string{
			"user: Joost van Dam wrote it, and this is their page."}},
		{"the viewer's page", post(7, anneke, "x", in(river.KindUser, int64(anneke)), user(int64(anneke))), []string{"user: It is your own post."}},
		{"a person's likes", post(7, joost, "x", in(river.KindLikes, int64(emre)), because1(timeline.WhatUserLikes, int64(emre))), []string{
			"user_likes: Emre Yıldız liked it, and this is their page."}},
		{"the viewer's likes", post(7, joost, "x", in(river.KindLikes, int64(anneke)), because1(timeline.WhatUserLikes, int64(anneke))), []string{
			"user_likes: You liked it. | Unlike: DELETE /api/v1/posts/7/likes"}},
		{"a group's page", post(7, joost, "x", in(river.KindGroup, int64(cooks)), because1(timeline.WhatGroup, int64(cooks))), []string{
			"group: It was posted to Cooks of Noord, and this is the page of the group."}},
		{"favourites", post(7, joost, "x", in(river.KindFavs, int64(anneke)), because1(timeline.WhatUserFavs, int64(anneke))), []string{
			"user_favs: It is one of your favourites. | Unfavourite: DELETE /api/v1/posts/7/favs"}},
		{"directs: sent", post(7, anneke, "x", in(river.KindDirects, int64(anneke)), to(directsOf(emre), directsOf(anneke)), because1(timeline.WhatUserDirects, int64(anneke))), []string{
			"user_directs: You sent it."}},
		{"discussions", post(7, joost, "x", in(river.KindDiscussions, int64(anneke)), because1(timeline.WhatDiscussions, int64(anneke))), []string{
			"user_discussions: You commented on it."}},
		{"photos", post(7, joost, "x", in(river.KindPhotos, 7)), []string{"photos: It has a photo."}},
		{"search", post(7, joost, "x", in(river.KindSearch, 0), func(e *river.Entry) { e.Hits = []string{"lock", "barge"} }), []string{
			"search: It matches your search: lock, barge"}},
		{"a language", post(7, joost, "x", in(river.KindEverything, 5), because1(timeline.WhatEverything, 5)), []string{
			"everything: It is in the language of this page."}},
		{"its own page", post(7, joost, "x", in(river.KindPost, 7)), []string{"post: This is the post's own page."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, reasonLines(Whys(sampleSets(anneke), &tt.entry, sampleCards()))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWhyEverywhere: each kind of river has a reason for its entries. A visitor can undo
// nothing, and gets none.
func TestWhyEverywhere(t *testing.T) {
	t.Parallel()
	for kind, what := range map[river.Kind]timeline.What{
		river.KindHome: timeline.WhatUser, river.KindList: timeline.WhatUser, river.KindUser: timeline.WhatUser, river.KindDay: timeline.WhatUser,
		river.KindPrivate: timeline.WhatUserPrivate, river.KindComments: timeline.WhatUserComments, river.KindLikes: timeline.WhatUserLikes,
		river.KindGroup: timeline.WhatGroup, river.KindFYEO: timeline.WhatUserFYEO, river.KindDirects: timeline.WhatUserDirects,
		river.KindFavs: timeline.WhatUserFavs, river.KindDiscussions: timeline.WhatDiscussions, river.KindMentions: timeline.WhatMentions,
		river.KindHashtag: timeline.WhatHashtag, river.KindEverything: timeline.WhatEverything, river.KindBestOf: timeline.WhatBestOf,
		river.KindMostFaved: timeline.WhatMostFaved, river.KindSearch: "", river.KindPost: "",
	} {
		e := post(7, joost, "x", in(kind, 1), because1(what, 1))
		if whys := Whys(sampleSets(anneke), &e, sampleCards()); len(whys) != 1 || whys[0].Text() == "" {
			t.Errorf("%s: %+v", kind, whys)
		}
		suspended := sampleSets(anneke)
		suspended.Suspended = true
		for _, sets := range []*timeline.Sets{nil, sampleSets(0), suspended} {
			if whys := Whys(sets, &e, sampleCards()); whys != nil {
				t.Errorf("%s gives %+v without rights, want no reasons", kind, whys)
			}
		}
	}
}

func TestWhyMenu(t *testing.T) {
	t.Parallel()
	m := model(anneke, post(7, anneke, "x", in(river.KindHome, 1), because1(timeline.WhatUser, 1), because1(timeline.WhatUserLikes, int64(emre))))
	menu := menuOf(t, m)
	want := []string{
		"/api/v1/users/1.json _method=PATCH user[own_posts]=0",
		"/api/v1/users/emre/mute.json likes=1",
	}
	if diff := cmp.Diff(want, formsIn(menu)[1:]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, form := range all(menu, ".why form") {
		if back, post := attr(one(t, form, "input[name=return_to]"), "value"), attr(one(t, form, "input[name=post]"), "value"); back != "/x?page=2#p7" || post != "7" {
			t.Errorf("it leads to %q, of post %q", back, post)
		}
	}
}
