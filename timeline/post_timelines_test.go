package timeline

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline/text"
)

// shared returns the id of a timeline of the site by its name, such as "hashtag:amstel", "everything:en" or
// "everything", or of a person's timeline, such as "mentions:anna". It returns 0 if the timeline does not
// exist yet.
func (s *site) shared(name string) TimelineID {
	s.t.Helper()
	what, of, _ := strings.Cut(name, ":")
	const tag = `select coalesce(max(t.id), 0) from timelines t join hashtags h on t.what = 'hashtag' and t.their_id = h.id where h.name = $1`
	const other = `select coalesce(max(id), 0) from timelines where what = $1 and their_id = $2`
	switch What(what) {
	case WhatHashtag:
		return one[TimelineID](s, tag, of)
	case WhatEverything:
		return one[TimelineID](s, other, what, LangID(of))
	}
	return s.timeline(What(what), of)
}

func (s *site) sharedAll(names ...string) []TimelineID {
	s.t.Helper()
	var ids []TimelineID
	for _, name := range names {
		ids = append(ids, s.shared(name))
	}
	slices.Sort(ids)
	return ids
}

// TestActionsUpdateDerivedTimelines makes one write after another on one post. After each write
// it compares the tags, mentions and language of the post's texts with the timelines that hold
// the post, and with the timelines that the post entered or left according to the log.
func TestActionsUpdateDerivedTimelines(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	ctx := t.Context()
	anna, bert, carl := s.user("anna"), s.user("bert"), s.user("carl")
	s.must(s.SetProfile(ctx, s.user("dora"), ProfileEdit{Name: new("dorothy")}))
	var post PostID
	var comment, other CommentID
	for _, step := range []struct {
		name   string
		do     func() error
		moved  []string // the timelines that the post entered and left
		worded bool
		in     []string // the timelines of the post, besides the usual ones
	}{
		{"a post names, tags and is in a language", func() (err error) {
			post, err = s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: englishText + " #Fox #dog @bert @anna @dora @zoe"})
			return err
		}, []string{"user:anna", "user_discussions:anna", "everything", "everything:en", "hashtag:fox", "hashtag:dog", "mentions:bert", "mentions:dora"}, true,
			[]string{"user:anna", "everything", "everything:en", "hashtag:fox", "hashtag:dog", "mentions:bert", "mentions:dora"}},
		{"another text leaves what it does not say, under any name", func() error {
			return s.EditPost(ctx, anna, post, PostEdit{Text: new(englishText + " #dog #cat @Dorothy @carl")})
		}, []string{"hashtag:fox", "hashtag:cat", "mentions:bert", "mentions:carl"}, true,
			[]string{"user:anna", "everything", "everything:en", "hashtag:dog", "hashtag:cat", "mentions:dora", "mentions:carl"}},
		{"another language is another everything", func() error { return s.EditPost(ctx, anna, post, PostEdit{Lang: new("de")}) },
			[]string{"everything:en", "everything:de"}, true,
			[]string{"user:anna", "everything", "everything:de", "hashtag:dog", "hashtag:cat", "mentions:dora", "mentions:carl"}},
		{"for own eyes it is in no everything, and under its tags still", func() error {
			return s.EditPost(ctx, anna, post, PostEdit{To: []string{"user_fyeo"}})
		}, []string{"user:anna", "user_fyeo:anna", "everything", "everything:de"}, false,
			[]string{"user_fyeo:anna", "hashtag:dog", "hashtag:cat", "mentions:dora", "mentions:carl"}},
		{"and comes back", func() error { return s.EditPost(ctx, anna, post, PostEdit{To: []string{"user"}}) },
			[]string{"user:anna", "user_fyeo:anna", "everything", "everything:de"}, false,
			[]string{"user:anna", "everything", "everything:de", "hashtag:dog", "hashtag:cat", "mentions:dora", "mentions:carl"}},
		{"no language is no everything but that of all", func() error {
			return s.EditPost(ctx, anna, post, PostEdit{Text: new("@carl #dog"), Lang: new("")})
		}, []string{"everything:de", "hashtag:cat", "mentions:dora"}, true,
			[]string{"user:anna", "everything", "hashtag:dog", "mentions:carl"}},
		{"a switch of comments says nothing", func() error { return s.EditPost(ctx, anna, post, PostEdit{CommentsDisabled: new(false)}) },
			nil, false, []string{"user:anna", "everything", "hashtag:dog", "mentions:carl"}},
		{"a comment names, but has no tags", func() (err error) {
			comment, err = s.AddComment(ctx, bert, post, NewComment{Text: "@ANNA, @carl and @bert #cat"})
			return err
		}, []string{"user_comments:bert", "user_discussions:bert", "mentions:anna", "mentions:carl"}, true,
			[]string{"user:anna", "everything", "hashtag:dog", "mentions:carl", "mentions:anna", "user_comments:bert", "user_discussions:bert"}},
		{"a second one that names the same is told of, and enters nothing", func() (err error) {
			other, err = s.AddComment(ctx, carl, post, NewComment{Text: "@anna"})
			return err
		}, []string{"user_comments:carl", "user_discussions:carl", "mentions:anna"}, true,
			[]string{"user:anna", "everything", "hashtag:dog", "mentions:carl", "mentions:anna", "user_comments:bert", "user_discussions:bert",
				"user_comments:carl", "user_discussions:carl"}},
		{"an edited comment names others", func() error { return s.EditComment(ctx, bert, post, comment, CommentEdit{Text: new("@dora")}) },
			[]string{"mentions:dora"}, true,
			[]string{"user:anna", "everything", "hashtag:dog", "mentions:carl", "mentions:anna", "mentions:dora", "user_comments:bert",
				"user_discussions:bert", "user_comments:carl", "user_discussions:carl"}},
		{"the last text that names a person goes", func() error { return s.DeleteComment(ctx, carl, post, other) },
			[]string{"mentions:anna", "user_comments:carl", "user_discussions:carl"}, true,
			[]string{"user:anna", "everything", "hashtag:dog", "mentions:carl", "mentions:dora", "user_comments:bert", "user_discussions:bert"}},
		{"its author comments, and is in it anyway", func() (err error) {
			other, err = s.AddComment(ctx, anna, post, NewComment{Text: "hm"})
			return err
		}, []string{"user_comments:anna"}, true,
			[]string{"user:anna", "everything", "hashtag:dog", "mentions:carl", "mentions:dora", "user_comments:bert", "user_discussions:bert", "user_comments:anna"}},
		{"and takes that back", func() error { return s.DeleteComment(ctx, anna, post, other) }, []string{"user_comments:anna"}, true,
			[]string{"user:anna", "everything", "hashtag:dog", "mentions:carl", "mentions:dora", "user_comments:bert", "user_discussions:bert"}},
	} {
		s.wait(time.Minute)
		last := one[int64](s, `select coalesce(max(id), 0) from changes`)
		s.must(step.do())
		const logged = `
			select coalesce(array_agg(t order by t), '{}') from changes c, unnest(c.timelines) t where c.id > $1 and c.kind = 'post'`
		if diff := gocmp.Diff(s.sharedAll(step.moved...), nonempty(one[[]TimelineID](s, logged, last))); diff != "" {
			t.Errorf("%s: entered and left (-want +got):\n%s", step.name, diff)
		}
		if worded := one[bool](s, `select coalesce(bool_or(worded), false) from changes where id > $1`, last); worded != step.worded {
			t.Errorf("%s: worded %t", step.name, worded)
		}
		if diff := gocmp.Diff(s.sharedAll(append(step.in, "user_discussions:anna")...), s.in(post)); diff != "" {
			t.Errorf("%s: it is in (-want +got):\n%s", step.name, diff)
		}
		s.checkPosts()
		s.audit()
	}
	s.must(s.DeletePost(ctx, anna, post))
	const left = `
		select (select count(*) from timeline_entries) + (select count(*) from timeline_left) + (select count(*) from mentions) + (select count(*) from post_words)`
	if n := one[int](s, left); n != 0 {
		t.Errorf("%d rows are left of a deleted post", n)
	}
}

// nonempty returns the list, or nil if it is empty.
func nonempty(ids []TimelineID) []TimelineID {
	if len(ids) == 0 {
		return nil
	}
	return ids
}

// TestTimelinesOfALanguageAreMadeAtItsFirstUse: the first post in a language makes the language's timeline
// of everything and its rankings.
func TestTimelinesOfALanguageAreMadeAtItsFirstUse(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	const made = `select count(*) from timelines where what in ('everything', 'best_of', 'most_faved') and access = 'public'`
	before := one[int](s, made)
	for _, want := range []int{11, 11, 22} {
		lang := map[int]string{11: "en", 22: "nl"}[want]
		_, err := s.CreatePost(t.Context(), s.user("anna"), NewPost{To: []string{"user"}, Text: "x", Lang: lang})
		s.must(err)
		if n := one[int](s, made) - before; n != want {
			t.Errorf("%d timelines of languages, want %d", n, want)
		}
	}
	for _, period := range Periods() {
		if n := one[int](s, `select count(*) from timelines where what in ('best_of', 'most_faved') and their_id = $1`, RankedID("nl", period)); n != 2 {
			t.Errorf("%d rankings of Dutch, period %d", n, period)
		}
	}
	// A post for the author's own eyes needs no timeline of its language.
	_, err := s.CreatePost(t.Context(), s.user("anna"), NewPost{To: []string{"user_fyeo"}, Text: "x", Lang: "de"})
	s.must(err)
	if n := one[int](s, made) - before; n != 22 {
		t.Errorf("%d timelines of languages after a post that is in no everything", n)
	}
}

// TestFirstUsesAtOnce has many people use the same new tags and languages at the same time, in any order.
func TestFirstUsesAtOnce(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	const people = 8
	s, names := crowd(t, people)
	ctx := t.Context()
	var wg sync.WaitGroup
	for i, name := range names {
		random := rand.New(rand.NewPCG(3, uint64(i)))
		wg.Go(func() {
			for round := range 6 {
				said := ""
				for _, n := range random.Perm(8) {
					said += fmt.Sprintf(" #tag%d-%d @%s", round, n, names[n%people])
				}
				lang := text.Languages()[round].Code
				post, err := s.CreatePost(ctx, s.user(name), NewPost{To: []string{"user"}, Text: said, Lang: lang})
				if err != nil {
					t.Error(err)
					continue
				}
				if err := s.EditPost(ctx, s.user(name), post, PostEdit{Text: new(said + fmt.Sprintf(" #more%d", round))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := one[int](s, `select count(*) from hashtags`); n != 6*8+6 {
		t.Errorf("%d tags", n)
	}
	if n := s.deadlocks(); n != 0 {
		t.Errorf("%d deadlocks", n)
	}
	s.checkPosts()
	s.audit()
}

// TestRandomTextsUpdateDerivedTimelines writes random texts. The audit then reads all texts again, and compares
// their tags, mentions and languages with the timelines that are filled by them.
func TestRandomTextsUpdateDerivedTimelines(t *testing.T) {
	long(t)
	t.Parallel()
	names := []string{"anna", "bert", "carl", "dora", "zoe"}
	s := newSite(t, names...)
	s.group("anna", NewGroup{Name: "kitchen", Posting: "anybody"})
	ctx := t.Context()
	random := rand.New(rand.NewPCG(11, 4))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	text := func() string {
		parts := []string{pick("hm", englishText, germanText, "Сьогодні в Києві дуже гарна погода, тож ми пішли гуляти до річки.")}
		for range random.IntN(4) {
			parts = append(parts, pick("#cats", "#Dogs,", "#кошки", "https://a.org/#cats?@anna", "a@bert", "@Anna", "@bert!", "(@carl)", "@dora", "@zoe", "@yan"))
		}
		return strings.Join(parts, " ")
	}
	to := func() []string {
		return [][]string{{"user"}, {"user_private"}, {"user_fyeo"}, {"group:kitchen", "user"}, {"group:kitchen"}}[random.IntN(5)]
	}
	var posts []PostID
	var comments [][2]int64
	author := make(map[int64]UserID)
	for round := range 250 {
		s.wait(time.Second)
		who := s.user(names[random.IntN(len(names))])
		if len(posts) == 0 || random.IntN(6) == 0 {
			post, err := s.CreatePost(ctx, who, NewPost{To: to(), Text: text(), Lang: pick("", "", "nl")})
			s.must(err)
			posts = append(posts, post)
			author[int64(post)] = who
			continue
		}
		post := posts[random.IntN(len(posts))]
		var err error
		switch random.IntN(8) {
		case 0:
			err = s.EditPost(ctx, author[int64(post)], post, PostEdit{Text: new(text())})
		case 1:
			err = s.EditPost(ctx, author[int64(post)], post, PostEdit{Lang: new(pick("", "fi", "de"))})
		case 2:
			err = s.EditPost(ctx, author[int64(post)], post, PostEdit{To: to()})
		case 3, 4:
			var id CommentID
			if id, err = s.AddComment(ctx, who, post, NewComment{Text: text()}); err == nil {
				comments = append(comments, [2]int64{int64(id), int64(post)})
				author[int64(id)] = who
			}
		case 5:
			if random.IntN(3) == 0 {
				err = s.DeletePost(ctx, author[int64(post)], post)
			}
		default:
			if len(comments) == 0 {
				continue
			}
			c := comments[random.IntN(len(comments))]
			if random.IntN(2) == 0 {
				err = s.EditComment(ctx, author[c[0]], PostID(c[1]), CommentID(c[0]), CommentEdit{Text: new(text())})
			} else {
				err = s.DeleteComment(ctx, author[c[0]], PostID(c[1]), CommentID(c[0]))
			}
		}
		if !refusal(err) {
			t.Fatal(err)
		}
		if round%50 == 49 {
			s.checkPosts()
			s.audit()
		}
	}
	s.must(s.SetPassword(ctx, s.user("zoe"), zoesPassword))
	s.endAccount(s.user("zoe"))
	s.runAccountJobs()
	s.checkPosts()
	s.audit()
}

func TestLanguagesUsedCountsPublicPostsOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, "alice")
	alice := s.user("alice")
	write := func(lang string, to ...string) PostID {
		id, err := s.CreatePost(t.Context(), alice, NewPost{Text: "x", Lang: lang, To: to})
		s.must(err)
		return id
	}
	told := func(want ...string) {
		t.Helper()
		found, err := s.LanguagesUsed(t.Context())
		s.must(err)
		var codes []string
		for _, l := range found {
			codes = append(codes, l.Code)
		}
		if diff := gocmp.Diff(want, codes); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	told()
	write("fy", "user_private")
	write("la", "user_fyeo")
	told()
	dutch := write("nl", "user")
	write("ru", "user", "user_private")
	told("nl", "ru")
	s.must(s.DeletePost(t.Context(), alice, dutch))
	told("ru")
	s.status("alice", "protected")
	told()
}

func TestHashtagsAreFoundByName(t *testing.T) {
	t.Parallel()
	s := newSite(t, "alice")
	_, err := s.CreatePost(t.Context(), s.user("alice"), NewPost{Text: "of #Canals", To: []string{"user"}})
	s.must(err)
	if id, err := s.FindHashtag(t.Context(), "canals"); err != nil || id == 0 {
		t.Errorf("%d, %v", id, err)
	}
	if _, err := s.FindHashtag(t.Context(), "bridges"); !errors.Is(err, ErrNotFound) {
		t.Errorf("of a tag that no post has: %v", err)
	}
}
