package river

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestChangesOfATurnAreSortedByWhatTheyAreAbout: all changes of a post count as one, and a quarantined
// post that changed counts as moved.
func TestChangesOfATurnAreSortedByWhatTheyAreAbout(t *testing.T) {
	t.Parallel()
	a := newApplied(t)
	a.st.quarantine.posts[6], a.st.quarantine.posts[5] = 5, 50
	r := a.routing()
	r.node.quarantine = a.st.quarantine
	post := func(post timeline.PostID, id int64, moved, worded bool, in ...timeline.TimelineID) timeline.Change {
		return timeline.Change{Kind: timeline.ChangePost, ID: id, Post: post, PlaceChanged: moved, TextChanged: worded, Timelines: in}
	}
	got := r.sortChanges([]timeline.Change{
		post(7, 1, false, false, 10), post(7, 2, true, false, 11), post(7, 3, false, false),
		post(8, 4, false, true), post(8, 5, false, false, 12), post(9, 6, false, false), post(9, 7, false, true),
		post(6, 8, false, false), post(5, 9, false, false),
		{Kind: timeline.ChangeViewer, User: 1},
		{Kind: timeline.ChangeAccess, Timelines: []timeline.TimelineID{10, 11}}, {Kind: timeline.ChangeAccess, Timelines: []timeline.TimelineID{12}},
		{Kind: timeline.ChangeCard, User: 3}, {Kind: timeline.ChangeCard, Group: 4},
		{Kind: timeline.ChangeSession, User: 9, Post: 9},
	})
	want := &routedChanges{
		posts: map[timeline.PostID]*timeline.Change{
			7: {Post: 7, PlaceChanged: true, Timelines: []timeline.TimelineID{10, 11}},
			8: {Post: 8, TextChanged: true, Timelines: []timeline.TimelineID{12}},
			9: {Post: 9, TextChanged: true},
			6: {Post: 6, PlaceChanged: true},
			5: {Post: 5},
		},
		viewers: map[timeline.UserID]bool{1: true},
		access:  []timeline.TimelineID{10, 11, 12},
		users:   map[timeline.UserID]bool{3: true, 0: true},
		groups:  map[timeline.GroupID]bool{0: true, 4: true},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(routedChanges{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSweepThatIsAskedForBeginsIfAWalkMayAddPosts has the river of an applied, which was swept at 50.
func TestSweepThatIsAskedForBeginsIfAWalkMayAddPosts(t *testing.T) {
	t.Parallel()
	walk := func(since int64) []job { return []job{{kind: jobWalk, since: since}} }
	for _, test := range []struct {
		name   string
		jobs   []job
		change func(*applied)
		want   bool
	}{
		{"a walk", walk(51), nil, true},
		{"no walk", nil, nil, false},
		{"a walk from before", walk(50), nil, false},
		{"a recheck", []job{{kind: jobRecheck, since: 51}}, nil, false},
		{"a river that is swept already", walk(51), func(a *applied) { a.rv.stale = 1 }, false},
		{"a river that ended", walk(51), func(a *applied) { a.st.rivers[1] = &river{} }, false},
		{"a river that the turn changes", walk(51), func(a *applied) { a.rd.changed = true }, true},
		{"a river that the turn drops", walk(51), func(a *applied) { a.rd.dropped = true }, false},
		{"a river that the turn sweeps", walk(51), func(a *applied) { a.rd.sweepStarted = true }, false},
		{"a river of which the turn knows nothing", walk(51), func(a *applied) { delete(a.d.rivers, a.rv) }, true},
	} {
		a := newApplied(t)
		a.rv.sweptSince, a.d.log.jobs = 50, test.jobs
		if test.change != nil {
			test.change(a)
		}
		r := a.routing()
		r.asked.resweep = map[*river]bool{a.rv: true}
		r.resweep()
		if begun := a.d.riverDraft(a.rv).swept != nil; begun != test.want {
			t.Errorf("%s: begun %v, want %v", test.name, begun, test.want)
		}
	}
}

// TestChangesOfPostsThatMayConcernARiver has the river of an applied, with the posts 6, 7 and 8, fed by 10 and 12.
func TestChangesOfPostsThatMayConcernARiver(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		change   timeline.Change
		searches int
		want     bool
	}{
		{"a like of a post that no river holds", timeline.Change{Post: 99}, 1, false},
		{"a post that moved", timeline.Change{Post: 99, PlaceChanged: true}, 0, true},
		{"another text", timeline.Change{Post: 99, TextChanged: true}, 0, false},
		{"another text, for a search", timeline.Change{Post: 99, TextChanged: true}, 1, true},
		{"a post that is held", timeline.Change{Post: 7}, 0, true},
		{"a post with a page", timeline.Change{Post: 44}, 0, true},
		{"a post that came into a feed", timeline.Change{Post: 99, Timelines: []timeline.TimelineID{11, 12}}, 0, true},
		{"a post that came into another feed", timeline.Change{Post: 99, Timelines: []timeline.TimelineID{11}}, 0, false},
	} {
		a := newApplied(t)
		link(a.st, a.st.single, 44, &river{id: 44})
		for i := range test.searches {
			a.st.search[&river{id: int64(50 + i)}] = true
		}
		if may := a.st.mayConcern(&test.change); may != test.want {
			t.Errorf("%s: %v, want %v", test.name, may, test.want)
		}
	}
}

// TestChangedPostIsFoldedAgain: with all comments if its own page lives; a post that no river holds is not folded.
func TestChangedPostIsFoldedAgain(t *testing.T) {
	t.Parallel()
	for post, want := range map[timeline.PostID]string{6: "map[6:true] map[]", 7: "map[7:true] map[7:true]", 99: "map[] map[]"} {
		a := newApplied(t)
		a.hasAll(&timeline.Fold{Post: 7})
		a.open()
		a.d.facts[99] = nil
		a.routing().routePost(&timeline.Change{Post: post, PlaceChanged: true})
		if got := fmt.Sprint(a.d.need.folds, a.d.need.alls); got != want {
			t.Errorf("post %d: %s, want %s", post, got, want)
		}
		if routed := a.rd.decide[post]; routed != (post != 99) {
			t.Errorf("post %d: decided %v", post, routed)
		}
	}
}

// TestChangedPostIsDecidedInTheRiversThatItMayConcern has the river of an applied ("the river"), which holds
// post 7; one that timeline 12 feeds ("another"); the viewer's mentions, which timeline 13 feeds ("mentions"); and the
// page of post 7 ("the page").
func TestChangedPostIsDecidedInTheRiversThatItMayConcern(t *testing.T) {
	t.Parallel()
	type ids = []timeline.TimelineID
	facts := func(change func(f *timeline.Facts)) func(a *applied) {
		return func(a *applied) {
			f := *a.st.held[7].facts
			change(&f)
			a.d.facts[7] = &f
		}
	}
	hides := func(a *applied) { a.st.viewers[1].sets.HiddenComments = map[timeline.UserID]bool{5: true} }
	bans := func(a *applied) { a.st.viewers[1].sets.Bans = map[timeline.UserID]bool{5: true} }
	for _, test := range []struct {
		name   string
		change timeline.Change
		setUp  []func(a *applied)
		want   string
	}{
		{"a like", timeline.Change{}, nil, "[]"},
		{"a like that brings it into the feed", timeline.Change{Timelines: ids{11, 10}}, nil, "[the river]"},
		{"it came into another feed", timeline.Change{Timelines: ids{11}}, nil, "[]"},
		{"it moved", timeline.Change{PlaceChanged: true}, nil, "[the page the river]"},
		{"the viewer has a fold of their own", timeline.Change{}, []func(a *applied){func(a *applied) { a.hasOwn(&timeline.Fold{Post: 7}) }}, "[the river]"},
		{"the viewer hides a commenter that it had", timeline.Change{}, []func(a *applied){hides, func(a *applied) {
			f := *a.st.held[7].facts
			f.Commenters = []timeline.UserID{5}
			a.st.held[7].facts = &f
		}, facts(func(f *timeline.Facts) { f.Commenters = nil })}, "[the page the river]"},
		{"the viewer hides a commenter that it has", timeline.Change{}, []func(a *applied){hides, facts(func(f *timeline.Facts) { f.Commenters = []timeline.UserID{5} })}, "[the page the river]"},
		{"the viewer hides a commenter that others have", timeline.Change{}, []func(a *applied){hides, facts(func(f *timeline.Facts) { f.Commenters = []timeline.UserID{6} })}, "[]"},
		{"a commenter that the viewer does not hide", timeline.Change{}, []func(a *applied){facts(func(f *timeline.Facts) { f.Commenters = []timeline.UserID{5} })}, "[]"},
		{"a liker whom the viewer bans", timeline.Change{}, []func(a *applied){bans, facts(func(f *timeline.Facts) { f.Likers = []timeline.UserID{5} })}, "[the page the river]"},
		{"a liker whom the viewer does not ban", timeline.Change{}, []func(a *applied){bans, facts(func(f *timeline.Facts) { f.Likers = []timeline.UserID{6} })}, "[]"},
		{"it was deleted without a trace", timeline.Change{PlaceChanged: true, Timelines: ids{12}}, []func(a *applied){func(a *applied) { a.d.facts[7] = nil }}, "[the page the river]"},
		{"it was deleted without a trace, and moved nowhere", timeline.Change{}, []func(a *applied){hides, func(a *applied) { a.d.facts[7] = nil }}, "[]"},
		{"the page has not shown it yet", timeline.Change{}, []func(a *applied){func(a *applied) {
			for rv := range a.st.single[7] {
				delete(a.st.held[7].entries, rv)
			}
		}}, "[the page]"},
		{"it came into another river", timeline.Change{Timelines: ids{12}}, []func(a *applied){facts(func(f *timeline.Facts) { f.In = ids{10, 12} })}, "[another the river]"},
		{"it moved into another river", timeline.Change{PlaceChanged: true}, []func(a *applied){facts(func(f *timeline.Facts) { f.In, f.Entered = ids{10, 12}, []int64{1, 1} })}, "[another the page the river]"},
		{"it moved into another river, too far down", timeline.Change{PlaceChanged: true}, []func(a *applied){facts(func(f *timeline.Facts) { f.In, f.Entered, f.FreshAt = ids{10, 12}, []int64{1, 1}, 5 })}, "[the page the river]"},
		{"it came into another river, too far down, that holds it", timeline.Change{Timelines: ids{12}}, []func(a *applied){func(a *applied) {
			for rv := range a.st.fed[12] {
				a.st.held[7].entries[rv] = &entry{post: a.st.held[7]}
			}
		}, facts(func(f *timeline.Facts) { f.In, f.Entered, f.FreshAt = ids{10, 12}, []int64{1, 1}, 5 })}, "[another the river]"},
		{"another text that mentions the viewer", timeline.Change{TextChanged: true}, []func(a *applied){facts(func(f *timeline.Facts) { f.In, f.Mentions = ids{10, 13}, []timeline.Mention{{User: 1}, {User: 9}} })}, "[mentions]"},
		{"another text that mentions the viewer, and it moved", timeline.Change{TextChanged: true, PlaceChanged: true}, []func(a *applied){facts(func(f *timeline.Facts) { f.Mentions = []timeline.Mention{{User: 1}} })}, "[the page the river]"},
		{"a like of a post that mentions the viewer", timeline.Change{}, []func(a *applied){facts(func(f *timeline.Facts) { f.In, f.Mentions = ids{10, 13}, []timeline.Mention{{User: 1}} })}, "[]"},
	} {
		a := newApplied(t)
		names := map[*river]string{a.rv: "the river"}
		named := func(name string, id int64, key Key, feeds ...timeline.TimelineID) {
			rv := a.make(id, key, feeds...)
			rv.sorted = timeline.OrderFresh
			a.d.riverDraft(rv).floor = new(cursorAt(0, 10))
			names[rv] = name
		}
		named("another", 2, everything(2), 12)
		named("mentions", 3, Key{Viewer: 1, What: KindMentions, TheirID: 1}, 13)
		named("the page", 4, single(1, 7))
		a.apply()
		a.begin()
		for rv, name := range names {
			rv.watching.Store(1) // what is decided is not only marked
			if name == "the page" {
				a.st.held[7].entries[rv] = &entry{post: a.st.held[7]}
			}
		}
		a.st.viewers[1].sets.Own = map[timeline.What]timeline.TimelineID{timeline.WhatMentions: 13}
		for _, change := range test.setUp {
			change(a)
		}
		test.change.Post = 7
		a.routing().routePlaces(&test.change)
		var decided []string
		for rv, rd := range a.d.rivers {
			if len(rd.decide) > 0 {
				decided = append(decided, names[rv])
			}
		}
		slices.Sort(decided)
		if diff := cmp.Diff(test.want, fmt.Sprint(decided)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestPostsWhoseWordsAreLookedUpAgain(t *testing.T) {
	t.Parallel()
	got := textChanged(map[timeline.PostID]*timeline.Change{1: {}, 2: {PlaceChanged: true}, 3: {TextChanged: true}, 4: {PlaceChanged: true, TextChanged: true}})
	slices.Sort(got)
	if diff := cmp.Diff([]timeline.PostID{2, 3, 4}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestChangedAccessIsRouted has the river of an applied, which person 2's feed 10, hashtag 12 and the feed of group 4, timeline
// 14, feed. The river of a search names the same timelines; a lifted one and a page with the gate 10 have them, too.
func TestChangedAccessIsRouted(t *testing.T) {
	t.Parallel()
	const public, private, closed = timeline.AccessPublic, timeline.AccessPrivate, timeline.AccessClosed
	feed := func(access timeline.Access) timeline.Timeline {
		return timeline.Timeline{ID: 10, What: timeline.WhatUser, TheirID: 2, Access: access}
	}
	tag := func(access timeline.Access) timeline.Timeline {
		return timeline.Timeline{ID: 12, What: timeline.WhatHashtag, Access: access}
	}
	for _, test := range []struct {
		name string
		now  timeline.Timeline
		was  timeline.Access // of timeline 10 or 12; empty: the node does not know it
		want string          // the timelines whose posts are shown differently, the jobs, the rivers that are swept, and those that are dropped
	}{
		{"a feed goes private", feed(private), public, "[10] sweep 10 since 101 at top; [lifted search] [gated]"},
		{"a feed goes public", feed(public), private, "[10] sweep 10 since 101 at top; walk 10 since 101 at top; [search] []"},
		{"a feed stays", feed(public), public, "[10] sweep 10 since 101 at top; [search] []"},
		{"a feed that the viewer could not read is closed", feed(closed), private, "[10] sweep 10 since 101 at top; [search] [gated]"},
		{"a feed that the node does not know", feed(private), "", "[10] sweep 10 since 101 at top; walk 10 since 101 at top; [search] [gated]"},
		{"a tag is closed", tag(closed), public, "[] ; [lifted search the river] []"},
		{"a tag is opened", tag(public), closed, "[] ; [lifted search the river] []"},
		{"a tag stays", tag(public), public, "[] ; [] []"},
		{"a tag that the node does not know", tag(closed), "", "[] ; [] []"},
		{"a timeline that is gone", timeline.Timeline{}, public, "[] ; [] []"},
	} {
		a := newApplied(t)
		names := map[*river]string{a.rv: "the river"}
		for i, name := range []string{"search", "lifted", "gated"} {
			rv := a.make(int64(i+2), Key{Viewer: 1, What: KindSearch, Query: name}, 10, 12)
			names[rv] = name
			switch name {
			case "search":
				rv.query = new(timeline.Query)
			case "lifted":
				rv.key = Key{Viewer: 1, What: KindHome, TheirID: 1}
				rv.sorted = timeline.OrderLifted
			case "gated":
				rv.key = Key{Viewer: 1, What: KindUser, TheirID: 2}
				rv.gates, rv.wants = []timeline.TimelineID{10}, nil
			}
		}
		a.apply()
		a.begin()
		if id := test.now.ID; test.was == "" {
			delete(a.st.timelines, id)
		} else {
			was := a.st.timelines[id]
			was.Access = test.was
			a.st.timelines[id] = was
		}
		a.routing().routeAccess([]timeline.TimelineID{9, 10, 12}, map[timeline.TimelineID]timeline.Timeline{test.now.ID: test.now})
		if t2, read := a.d.timelines[test.now.ID]; test.now.ID != 0 && (!read || t2 != test.now) {
			t.Errorf("%s: the turn knows %+v", test.name, t2)
		}
		var swept, dropped []string
		for rv, rd := range a.d.rivers {
			if rd.sweepStarted {
				swept = append(swept, names[rv])
			}
			if rd.dropped {
				dropped = append(dropped, names[rv])
			}
		}
		slices.Sort(swept)
		slices.Sort(dropped)
		got := fmt.Sprintf("%v %s; %v %v", a.d.accessChanged, said(a.d.log.jobs), swept, dropped)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestPostsThatShowAChangedCard has post 7 by person 2 in the group 4, liked by 3, with comments of 5 and 16, a mention of 6, and, on
// its own page, a comment of 8. Of the viewer's own fold of it 9 is the liker; the entry is here because 2 follows 11's group 12.
func TestPostsThatShowAChangedCard(t *testing.T) {
	t.Parallel()
	type users = map[timeline.UserID]*timeline.UserCard
	type groups = map[timeline.GroupID]*timeline.GroupCard
	for _, test := range []struct {
		name   string
		users  users
		groups groups
		want   bool
	}{
		{"the author", users{2: {}}, nil, true},
		{"the group", nil, groups{4: {}}, true},
		{"another group", nil, groups{5: {}}, false},
		{"a liker that is shown", users{3: {}}, nil, true},
		{"a commenter that is shown", users{5: {}}, nil, true},
		{"a commenter that the page of the post shows", users{8: {}}, nil, true},
		{"a liker of the viewer's own fold", users{9: {}}, nil, true},
		{"a liker and commenter that is shown", users{16: {}}, nil, true},
		{"a liker that is folded", users{13: {}}, nil, false},
		{"a person that is the reason", users{14: {}}, nil, true},
		{"a group that is the reason, with a liker that is folded", users{13: {}}, groups{12: {}}, true},
		{"a person that is mentioned and not shown", users{6: {}}, nil, false},
		{"a person that is mentioned, with a group that is the reason", users{6: {}}, groups{12: {}}, true},
		{"another person", users{15: {}}, nil, false},
		{"another person and the author", users{15: {}, 2: {}}, nil, true},
	} {
		a := newApplied(t)
		a.st.timelines[14] = timeline.Timeline{ID: 14, What: timeline.WhatGroup, TheirID: 4, Access: timeline.AccessPublic}
		h := a.st.held[7]
		h.facts = &timeline.Facts{ID: 7, Author: 2, Places: []timeline.TimelineID{14}, Likers: []timeline.UserID{3, 9, 13, 16}, Commenters: []timeline.UserID{5, 8, 14, 16}, Mentions: []timeline.Mention{{User: 6}}}
		h.fold = &timeline.Fold{Post: 7, Author: 2, Likes: timeline.LikesFold{Users: []timeline.UserID{3}}, Comments: timeline.CommentsFold{Comments: []timeline.Comment{{User: 5}, {User: 16}}}}
		h.all = &timeline.Fold{Post: 7, Author: 2, Comments: timeline.CommentsFold{Comments: []timeline.Comment{{User: 8}}}}
		e := a.st.entryOf(a.rv, 7)
		e.ownRest().fold = &timeline.Fold{Post: 7, Author: 2, Likes: timeline.LikesFold{Users: []timeline.UserID{9}}}
		e.reasons = ReasonsOf(Reason{timeline.WhatGroup, 12}, Reason{timeline.WhatUserComments, 14})
		other := a.st.held[6]
		other.facts = &timeline.Facts{ID: 6, Author: 99}
		other.fold = &timeline.Fold{Post: 6, Author: 99}
		r := a.routing()
		r.routeCards(test.users, test.groups)
		want := map[timeline.PostID]bool{}
		if test.want {
			want[7] = true
		}
		touched := maps.Clone(a.d.touched)
		if _, by2 := test.users[2]; by2 { // post 8 is by 2, too
			want[8] = true
		}
		if diff := cmp.Diff(want, touched); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if len(a.d.users) != len(test.users) || len(a.d.groups) != len(test.groups) {
			t.Errorf("%s: the turn knows %v and %v", test.name, a.d.users, a.d.groups)
		}
	}
}

// TestNothingIsReadOfWhatNoRiverShows has changes of a viewer without rivers and of cards that are not
// shown; there is no snapshot here to ask.
func TestNothingIsReadOfWhatNoRiverShows(t *testing.T) {
	t.Parallel()
	a := newApplied(t)
	r := a.routing()
	if err := r.readSets(t.Context(), nil, map[timeline.UserID]bool{99: true}); err != nil {
		t.Error(err)
	}
	if err := r.readCards(t.Context(), nil, map[timeline.UserID]bool{99: true}, map[timeline.GroupID]bool{99: true}); err != nil {
		t.Error(err)
	}
	if err := r.readAccess(t.Context(), nil, nil); err != nil {
		t.Error(err)
	}
}
