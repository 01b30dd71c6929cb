package address

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/text"
)

// A primary is a small site: alice (3), with the earlier name alicia; the group cooks (4);
// a hashtag (50), lists, and a clock.
type primary struct {
	Store
	now       time.Time
	away      error // if not nil, the answer to every question
	named     map[string]timeline.Named
	lists     []timeline.OwnList
	languages []text.Language
	asked     []string
	readable  bool // the hashtag has a post that viewers may read
}

func (p *primary) ask(question string) error {
	p.asked = append(p.asked, question)
	return p.away
}

// questions returns the questions since the last call.
func (p *primary) questions() (asked string) {
	for _, one := range p.asked {
		asked += one + " "
	}
	p.asked = nil
	return asked
}

func (p *primary) Lookup(_ context.Context, name string) (timeline.Named, error) {
	if err := p.ask("whose"); err != nil {
		return timeline.Named{}, err
	}
	if found, ok := p.named[name]; ok {
		return found, nil
	}
	return timeline.Named{}, timeline.ErrNotFound
}

func (p *primary) FeedsOf(_ context.Context, whose timeline.Named) (feed, private timeline.TimelineID, err error) {
	if whose.Group != 0 {
		return 40, 0, p.ask("feeds")
	}
	return 30, 31, p.ask("feeds")
}

func (p *primary) FindHashtag(_ context.Context, name string) (int64, error) {
	if name != "tea" {
		return 0, timeline.ErrNotFound
	}
	return 50, p.away
}

func (p *primary) FindList(_ context.Context, _ timeline.UserID, name string) (timeline.ListID, string, error) {
	for _, l := range p.lists {
		if l.Name == name {
			return l.ID, l.Name, nil
		}
	}
	return 0, "", timeline.ErrNotFound
}

func (p *primary) Lists(context.Context, timeline.UserID) ([]timeline.OwnList, error) {
	return p.lists, nil
}

func (p *primary) LanguagesUsed(context.Context) ([]text.Language, error) {
	return p.languages, p.ask("languages")
}

// Visit shows one post of the hashtag, if viewers may read the post, and nothing else.
func (p *primary) Visit(_ context.Context, key river.Key, _ river.At) (*river.View, error) {
	view := &river.View{Key: key}
	if p.readable && key.What == river.KindHashtag {
		view.Entries = make([]river.Entry, 1)
	}
	return view, nil
}

func (p *primary) EntryAfterWrite(context.Context, river.Key, timeline.PostID) (*river.View, error) {
	return nil, errors.New("no write was asked about")
}

func newResolver() (*Resolver, *primary) {
	dutch, _ := text.FindLanguage("nl")
	p := &primary{
		now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		named: map[string]timeline.Named{
			"alice": {Name: "alice", User: 3}, "alicia": {Name: "alice", User: 3}, "cooks": {Name: "cooks", Group: 4},
		},
		lists:     []timeline.OwnList{{ID: 60, Name: "friends"}, {ID: 61, Name: "work"}},
		languages: []text.Language{dutch},
	}
	return New(p, p, func() time.Time { return p.now }, slog.New(slog.DiscardHandler)), p
}

// statusOf returns the HTTP status for an error.
func statusOf(err error) int {
	_, invalid := errors.AsType[*timeline.InvalidError](err)
	switch {
	case err == nil:
		return 200
	case invalid:
		return 422
	case errors.Is(err, timeline.ErrUnauthorized):
		return 401
	case errors.Is(err, timeline.ErrNotFound):
		return 404
	}
	return 500
}

// TestResolve: each path that the router serves as a river is resolved by the path alone too, as
// open pages name their rivers.
func TestResolve(t *testing.T) {
	t.Parallel()
	r, _ := newResolver()
	for _, tt := range []struct {
		page   string
		viewer timeline.UserID
		want   river.Key
		at     river.At
	}{
		{"/", 3, river.Key{Viewer: 3, What: river.KindHome, TheirID: 3}, river.At{Count: 25}},
		{"/", 0, river.Key{What: river.KindEverything}, river.At{Count: 25}},
		{"/index.json", 3, river.Key{Viewer: 3, What: river.KindHome, TheirID: 3}, river.At{Count: 25}},
		{"", 3, river.Key{Viewer: 3, What: river.KindHome, TheirID: 3}, river.At{Count: 25}},
		{"/user.json", 3, river.Key{Viewer: 3, What: river.KindUser, TheirID: 3}, river.At{Count: 25}},
		{"/filter/everything", 3, river.Key{Viewer: 3, What: river.KindEverything}, river.At{Count: 25}},
		{"/filter/directs.json", 3, river.Key{Viewer: 3, What: river.KindDirects, TheirID: 3}, river.At{Count: 25}},
		{"/filter/favs", 3, river.Key{Viewer: 3, What: river.KindFavs, TheirID: 3}, river.At{Count: 25}},
		{"/alice", 5, river.Key{Viewer: 5, What: river.KindUser, TheirID: 3}, river.At{Count: 25}},
		{"//alice.json?page=2", 0, river.Key{What: river.KindUser, TheirID: 3}, river.At{Count: 25, Skip: 25}},
		{"/alice/comments?count=3", 0, river.Key{What: river.KindComments, TheirID: 3}, river.At{Count: 3}},
		{"/alice/likes.json", 0, river.Key{What: river.KindLikes, TheirID: 3}, river.At{Count: 25}},
		{"/cooks", 0, river.Key{What: river.KindGroup, TheirID: 4}, river.At{Count: 25}},
		{"/alice/77", 5, river.Key{Viewer: 5, What: river.KindPost, TheirID: 77}, river.At{Count: 25}},
		{"/cooks/77.json", 5, river.Key{Viewer: 5, What: river.KindPost, TheirID: 77}, river.At{Count: 25}},
		{"/alice/photos", 5, river.Key{Viewer: 5, What: river.KindPhotos, TheirID: 3}, river.At{Count: 25}},
		{"/cooks/photos.json?page=2", 0, river.Key{What: river.KindGroupPhotos, TheirID: 4}, river.At{Count: 25, Skip: 25}},
		{"/alice/private", 5, river.Key{Viewer: 5, What: river.KindPrivate, TheirID: 3}, river.At{Count: 25}},
		{"/alice/calendar/2024", 5, river.Key{Viewer: 5, What: river.KindDay, TheirID: 3, Query: "2024"}, river.At{Count: 25}},
		{"/alice/calendar/2024/05.json", 0, river.Key{What: river.KindDay, TheirID: 3, Query: "2024-05"}, river.At{Count: 25}},
		{"/alice/calendar/2024/05/01?page=2", 5, river.Key{Viewer: 5, What: river.KindDay, TheirID: 3, Query: "2024-05-01"}, river.At{Count: 25, Skip: 25}},
		{"/alice/calendar/2024-02-29", 5, river.Key{Viewer: 5, What: river.KindDay, TheirID: 3, Query: "2024-02-29"}, river.At{Count: 25}},
		{"/filter/discussions", 3, river.Key{Viewer: 3, What: river.KindDiscussions, TheirID: 3}, river.At{Count: 25}},
		{"/filter/mentions.json", 3, river.Key{Viewer: 3, What: river.KindMentions, TheirID: 3}, river.At{Count: 25}},
		{"/filter/fyeo", 3, river.Key{Viewer: 3, What: river.KindFYEO, TheirID: 3}, river.At{Count: 25}},
		{"/filter/everything/nl", 3, river.Key{Viewer: 3, What: river.KindEverything, TheirID: timeline.LangID("nl")}, river.At{Count: 25}},
		{"/filter/everything/NL.json", 0, river.Key{What: river.KindEverything, TheirID: timeline.LangID("nl")}, river.At{Count: 25}},
		{"/filter/best_of", 0, river.Key{What: river.KindBestOf, TheirID: timeline.RankedID("", timeline.Rising)}, river.At{Count: 25}},
		{"/filter/best_of/nl?period=rising", 0, river.Key{What: river.KindBestOf, TheirID: timeline.RankedID("nl", timeline.Rising)}, river.At{Count: 25}},
		{"/filter/best_of/nl?period=ever", 0, river.Key{What: river.KindBestOf, TheirID: timeline.RankedID("nl", timeline.Ever)}, river.At{Count: 25}},
		{"/filter/best_of.json?period=week", 3, river.Key{Viewer: 3, What: river.KindBestOf, TheirID: timeline.RankedID("", timeline.Week)}, river.At{Count: 25}},
		{"/filter/best_of/nl?period=day", 3, river.Key{Viewer: 3, What: river.KindBestOf, TheirID: timeline.RankedID("nl", timeline.Day)}, river.At{Count: 25}},
		{"/filter/most_faved?period=ever", 0, river.Key{What: river.KindMostFaved, TheirID: timeline.RankedID("", timeline.Ever)}, river.At{Count: 25}},
		{"/filter/most_faved/nl.json?period=month&run=7", 0, river.Key{What: river.KindMostFaved, TheirID: timeline.RankedID("nl", timeline.Month)}, river.At{Count: 25, Run: 7}},
		{"/alice?run=7&order=created&exclude_replies=1", 0, river.Key{What: river.KindUser, TheirID: 3}, river.At{Count: 25, Order: river.OrderCreated, NoReplies: true}},
		{"/alice/calendar/2024?order=created", 0, river.Key{What: river.KindDay, TheirID: 3, Query: "2024"}, river.At{Count: 25}},
		{"/s?q=two+words", 3, river.Key{Viewer: 3, What: river.KindSearch, Query: "two words"}, river.At{Count: 25}},
		{"/s.json?q=%22two+words%22+-three&page=2", 0, river.Key{What: river.KindSearch, Query: `"two words" -three`}, river.At{Count: 25, Skip: 25}},
	} {
		key, at, err := r.Resolve(t.Context(), tt.viewer, tt.page, nil)
		if err != nil || key != tt.want || at != tt.at {
			t.Errorf("%q: %v %v %v, want %v %v", tt.page, key, at, err, tt.want, tt.at)
		}
	}
	for page, status := range map[string]int{
		"/filter/directs": 401, "/filter/favs": 401, "/user": 401, "/filter/nothing": 404, "/users/sign_in": 404, "/cooks/comments": 404,
		"/alice/0": 404, "/alice/77/comments": 404, "/alice?page=0": 422, "/alice/%zz": 404,
		"/filter/discussions": 401, "/filter/mentions": 401, "/filter/fyeo": 401, "/list/friends": 401, "/list": 404, "/list/a/b": 404, "/filter": 404,
		"/filter/everything/xx": 404, "/filter/everything/dutch": 404, "/filter/everything/nl/ru": 404, "/filter/everything/ru": 404, "/filter/best_of/ru": 404,
		"/filter/favs/nl": 404, "/filter/nothing/nl": 404, "/filter/best_of?period=year": 422, "/filter/most_faved/nl?period=1": 422,
		"/filter/best_of?order=created": 422, "/filter/best_of?start_from=2016-06-18T18:08:14Z": 422, "/filter/best_of?since_id=77": 422, "/filter/most_faved?max_id=77": 422,
		"/filter/best_of?run=first": 422, "/alice?order=top&max_id=77": 422, "/alice?order=created&start_from=2016-06-18T18:08:14Z": 422, "/alice/calendar/2024?start_from=2016-06-18T18:08:14Z": 422,
		"/alice?since_id=x": 422, "/alice?max_id=0": 422, "/alice?order=oldest": 422, "/alice?exclude_replies=2": 422,
		"/alice/calendar": 404, "/alice/calendar/1999": 404, "/alice/calendar/2024/13": 404, "/alice/calendar/2024/5": 404, "/alice/calendar/2023/02/29": 404,
		"/alice/calendar/2024/05/01/1": 404, "/alice/calendar/may": 404, "/alice/calendar/9999": 404, "/cooks/calendar/2024": 404, "/cooks/private": 404, "/alice/nothing": 404,
		"/s": 422, "/s?q=": 422,
	} {
		if _, _, err := r.Resolve(t.Context(), 0, page, nil); statusOf(err) != status {
			t.Errorf("%q: %v, want a %d", page, err, status)
		}
	}
}

// TestResolve_OpenPage finds the river of an open page, which knows the river's name.
func TestResolve_OpenPage(t *testing.T) {
	t.Parallel()
	r, p := newResolver()
	search := river.Key{Viewer: 3, What: river.KindSearch, Query: "#tea"}
	tag := river.Key{Viewer: 3, What: river.KindHashtag, TheirID: 50}
	list := func(id int64) river.Key { return river.Key{Viewer: 3, What: river.KindList, TheirID: id} }
	for _, tt := range []struct {
		name     string
		page     string
		open     *river.Key // nil: the page has no river yet
		readable bool
		want     river.Key
		status   int
	}{
		{"a tag that the viewer may read", "/s?q=%23tea", nil, true, tag, 200},
		{"a tag that they may not read", "/s?q=%23tea", nil, false, search, 200},
		{"a tag that no post has", "/s?q=%23tree", nil, true, river.Key{Viewer: 3, What: river.KindSearch, Query: "#tree"}, 200},
		{"a page opened as a search stays one", "/s?q=%23tea", &search, true, search, 200},
		{"a page opened as a tag stays one", "/s?q=%23tea", &tag, false, tag, 200},
		{"a page of another river is a search", "/s?q=%23tea", &river.Key{}, true, search, 200},
		{"a list by its name", "/list/friends", nil, true, list(60), 200},
		{"a list that is open", "/list/friends", new(list(60)), true, list(60), 200},
		{"an open list that has another name now", "/list/family", new(list(61)), true, list(61), 200},
		{"an open list whose name another has now", "/list/friends", new(list(61)), true, list(61), 200},
		{"an open list that is gone", "/list/family", new(list(62)), true, river.Key{}, 404},
		{"no list", "/list/family", nil, true, river.Key{}, 404},
	} {
		p.readable = tt.readable
		var known func(river.Key) bool
		if tt.open != nil {
			known = func(key river.Key) bool { return key == *tt.open }
		}
		key, _, err := r.Resolve(t.Context(), 3, tt.page, known)
		if statusOf(err) != tt.status || err == nil && key != tt.want {
			t.Errorf("%s: %v %v, want %v", tt.name, key, err, tt.want)
		}
	}
}
