package timeline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/timeline/query"
)

// says publishes a post with a text, in a language.
func (s *site) says(author, lang, text string, to ...string) PostID {
	s.t.Helper()
	if len(to) == 0 {
		to = []string{"user"}
	}
	id, err := s.CreatePost(s.t.Context(), s.user(author), NewPost{To: to, Text: text, Lang: lang})
	s.must(err)
	return id
}

// replies comments with a text.
func (s *site) replies(author string, post PostID, text string) {
	s.t.Helper()
	_, err := s.AddComment(s.t.Context(), s.user(author), post, NewComment{Text: text})
	s.must(err)
}

// snap opens a snapshot for the test.
func (s *site) snap() *Snapshot {
	s.t.Helper()
	sn, err := s.Snapshot(s.t.Context())
	s.must(err)
	s.t.Cleanup(sn.Close)
	return sn
}

// compile makes the query of a text.
func (s *site) compile(sn *Snapshot, text string) *Query {
	s.t.Helper()
	search, err := query.Parse(text)
	s.must(err)
	q, err := sn.Compile(s.t.Context(), search)
	s.must(err)
	stored, err := json.Marshal(q)
	s.must(err)
	q = nil
	s.must(json.Unmarshal(stored, &q))
	return q
}

// finds returns the posts that a person's search finds, freshest first: it chooses posts and
// then decides each. It fails the test unless the order by publication finds the same posts, and
// unless Match and Fits agree about all posts of the site.
func (s *site) finds(who, text string) []PostID {
	s.t.Helper()
	ctx, sn := s.t.Context(), s.snap()
	defer sn.Close()
	q := s.compile(sn, text)
	viewer := s.people[who]
	ids, err := pgx.CollectRows(must(sn.tx.Query(ctx, `select id from posts order by fresh_at desc, id desc`)), pgx.RowTo[PostID])
	s.must(err)
	facts, timelines, err := sn.Facts(ctx, ids)
	s.must(err)
	sets, more, err := sn.Sets(ctx, []UserID{viewer})
	s.must(err)
	maps.Copy(timelines, more)
	more, err = sn.Timelines(ctx, q.Feeds())
	s.must(err)
	maps.Copy(timelines, more)
	known := func(id TimelineID) (Timeline, bool) { t, is := timelines[id]; return t, is }
	fits := func(id PostID) bool {
		return q.Fits(facts[id], sets[viewer], known) && sets[viewer].MayRead(facts[id].Access(), known)
	}
	matched, err := sn.Match(ctx, []Matching{{Query: q, Viewer: viewer}}, ids)
	s.must(err)
	// Match finds the same when it is asked about many searches at once.
	many := slices.Repeat([]Matching{{Query: q, Viewer: viewer}}, 2)
	for i := range 2 * matchFew {
		nonsense := s.words(i)
		many = append(many, Matching{Query: &Query{Text: nonsense, Comment: nonsense}, Viewer: viewer})
	}
	sifted, err := sn.Match(ctx, many, ids)
	s.must(err)
	if diff := gocmp.Diff(matched[0], sifted[1]); diff != "" {
		s.t.Errorf("%q: (-alone +among others):\n%s", text, diff)
	}
	want := []PostID{}
	for _, id := range ids {
		if _, is := matched[0][id]; is && fits(id) {
			want = append(want, id)
		}
	}
	// The same is found with any bounds of how much is read before the index of words is asked.
	for i := range 6 {
		order := []Order{OrderFresh, OrderCreated}[i%2]
		sn.bounds = []searchBounds{searchMost, {1, 1, 1, 1}, {1000, 2, 3, 4}}[i/2]
		slices.SortFunc(want, func(a, b PostID) int {
			if order == OrderCreated {
				return cmp.Compare(b, a)
			}
			return facts[a].Cursor().Compare(facts[b].Cursor())
		})
		want, got, below := want, []PostID{}, Top
		if middle := len(want) / 2; i >= 4 && len(want) > 0 { // a page may begin at a time without a post
			place := func(id PostID) Cursor {
				if order == OrderCreated {
					return id.Cursor()
				}
				return facts[id].Cursor()
			}
			below = Cursor{FreshAt: place(want[middle]).FreshAt + 1}
			want = slices.DeleteFunc(slices.Clone(want), func(id PostID) bool { return !place(id).Below(below) })
		}
		for below != (Cursor{}) {
			chosen, err := sn.Choose(ctx, Choice{Order: order, Query: q, Sets: sets[viewer], Known: known}, below, 3)
			s.must(err)
			for _, at := range chosen.Posts {
				if !sets[viewer].MayRead(facts[at.Post].Access(), known) {
					s.t.Errorf("%s is chosen post %d for %q, and may not read it", who, at.Post, text)
				}
				if fits(at.Post) {
					got = append(got, at.Post)
				}
			}
			below = chosen.Low
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			s.t.Errorf("%s searches %q in order %q within %+v (-matched and fits +chosen and fits):\n%s", who, text, order, sn.bounds, diff)
		}
	}
	fresh := []PostID{}
	for _, id := range ids {
		if slices.Contains(want, id) {
			fresh = append(fresh, id)
		}
	}
	return fresh
}

// words returns a condition that no text meets.
func (s *site) words(i int) WordCondition {
	lexeme := fmt.Sprintf("nonsense%d", i)
	return WordCondition{TSQuery: "'" + lexeme + "'", Needs: [][]string{{lexeme}}}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestSearchFinds(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	s.group("anna", NewGroup{Name: "rowing"})
	s.follow("bert", "rowing")
	posts := make(map[string]PostID)
	for _, p := range []struct{ key, author, lang, text, to string }{
		{"boats", "anna", "en", "The red boats go by", "user"},
		{"harbour", "bert", "en", "a boat in the harbour #Amstel", "group:rowing"},
		{"лодки", "anna", "ru", "Красные лодки плывут", "user"},
		{"Boote", "bert", "de", "Die roten Boote und die Häuser", "user"},
		{"plain", "carl", "", "nothing of that, red as it is", "user"},
		{"secret", "anna", "en", "boats for my eyes", "user_fyeo"},
	} {
		s.wait(time.Hour)
		posts[p.key] = s.says(p.author, p.lang, p.text, p.to)
	}
	s.wait(24 * time.Hour)
	posts["tomorrow"] = s.says("carl", "en", "boating tomorrow #amstel-2 #rain")
	s.wait(time.Hour)
	s.replies("bert", posts["boats"], "with one oar")
	s.replies("carl", posts["boats"], "and a sail")
	s.must(s.Like(t.Context(), s.user("bert"), posts["boats"]))
	s.must(s.Like(t.Context(), s.user("bert"), posts["plain"]))
	s.must(s.Like(t.Context(), s.user("anna"), posts["plain"]))
	for _, tt := range []struct{ who, query, want string }{
		{"", "boats", "boats tomorrow harbour"},
		{"", "BOAT", "boats tomorrow harbour"},
		{"anna", "boats", "boats tomorrow secret harbour"},
		{"", "red boat", "boats"},
		{"", `"red boats"`, "boats"},
		{"", `"boats red"`, ""},
		{"", "the boats", "boats tomorrow harbour"}, // "the" is no condition
		{"", "boats -harbour", "boats tomorrow"},
		{"", "boats -boats", ""},
		{"", "red -boats -boot", "plain"},
		{"", "лодка", "лодки"},
		{"", "haus", "Boote"},
		{"", "from:anna -haus", "boats лодки"},
		{"", "from:anna from:carl red", "boats plain"},
		{"", "-from:anna red", "plain"},
		{"", "group:rowing", "harbour"},
		{"", "boats -group:rowing", "boats tomorrow"},
		{"", "liked-by:bert", "boats plain"},
		{"", "liked-by:bert liked-by:anna", "plain"},
		{"", "liked-by:bert -liked-by:anna", "boats"},
		{"", "commented-by:bert red", "boats"},
		{"", "red -commented-by:carl", "plain"},
		{"", "in:comments oar", "boats"},
		{"", "in:comments oar sail", ""}, // all words in one comment
		{"", "in:comments boats", ""},
		{"", "in:comments oar liked-by:bert from:anna", "boats"},
		{"", "#AMSTEL", "harbour"},
		{"", "#amstel-2 -#rain", ""},
		{"", "boat #amstel", "harbour"},
		{"", "amstel", "tomorrow harbour"}, // the word of a tag
		{"", "boats before:2026-11-21", "boats harbour"},
		{"", "after:2026-11-21", "tomorrow"},
		{"", "after:2026-11-20 before:2026-11-21 red", "boats plain"},
		{"", "unheard", ""},
	} {
		var want []PostID
		for key := range strings.FieldsSeq(tt.want) {
			want = append(want, posts[key])
		}
		got := s.finds(tt.who, tt.query)
		var keys []string
		for _, id := range got {
			for key, post := range posts {
				if post == id {
					keys = append(keys, key)
				}
			}
		}
		if !slices.Equal(want, got) && len(want)+len(got) > 0 {
			t.Errorf("%q finds %q for %q, want %q", tt.who, keys, tt.query, tt.want)
		}
	}
}

// TestSearchFindsPostsByTheirFiles follows the files of a post. A search with has: finds the post as long
// as one of the post's own files is ready, and only for readers of the post.
func TestSearchFindsPostsByTheirFiles(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx, anna := t.Context(), s.user("anna")
	plain, photos, secret := s.says("anna", "en", "an @image of a boat"), s.says("anna", "en", "boats"), s.says("anna", "en", "boats", "user_fyeo")
	finds := func(who, text string, want ...PostID) {
		t.Helper()
		got := s.finds(who, text)
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%q finds %v for %q, want %v", text, got, who, want)
		}
	}
	has := func(post PostID, files ...AttachmentID) {
		t.Helper()
		s.must(s.EditPost(ctx, anna, post, PostEdit{Files: &Files{IDs: files}}))
	}
	late := s.upload("anna", "c")
	has(photos, late)
	finds("anna", "has:image")
	s.must(s.FinishAttachment(ctx, late, photo("c"), always))
	finds("anna", "has:image", photos)
	finds("anna", "has:photos boat", photos)
	finds("anna", "boat -has:image", plain, secret)
	finds("anna", "has:video")
	has(secret, s.ready("anna", "d"))
	finds("anna", "has:image", photos, secret)
	finds("bert", "has:image", photos)
	finds("", "has:image from:anna", photos)
	s.must(s.EditPost(ctx, anna, photos, PostEdit{Text: new("a red boat"), Lang: new("de")}))
	finds("bert", "has:image", photos)
	_, err := s.AddComment(ctx, s.user("bert"), plain, NewComment{Text: "look", Files: Files{IDs: []AttachmentID{s.ready("bert", "e")}}})
	s.must(err)
	finds("bert", "has:image", photos) // the file of a comment does not count for its post
	film := s.upload("anna", "f")
	s.must(s.FinishAttachment(ctx, film, FinishedFile{Kind: "video", MediaType: "video/mp4"}, always))
	has(photos, late, film)
	finds("bert", "has:image has:video", photos)
	has(photos, film)
	finds("bert", "has:image")
	finds("bert", "has:video", photos)
	made, err := s.CreatePost(ctx, anna, NewPost{To: []string{"user"}, Text: "new", Files: Files{IDs: []AttachmentID{s.ready("anna", "g")}}})
	s.must(err)
	finds("bert", "has:image", made)
	s.audit()
}

func TestSearchRevealsNoUnreadableFeed(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl", "dora")
	s.group("anna", NewGroup{Name: "rowing", Status: "private"})
	post := s.says("anna", "en", "boats", "user", "group:rowing")
	s.must(s.Like(t.Context(), s.user("bert"), post))
	s.replies("bert", post, "with an oar")
	s.status("bert", "private")
	s.must(s.Ban(t.Context(), s.user("dora"), "bert"))
	for _, tt := range []struct {
		who, query string
		found      bool
	}{
		{"anna", "group:rowing", true}, {"carl", "group:rowing", false},
		{"anna", "boats -group:rowing", false}, {"carl", "boats -group:rowing", true},
		{"bert", "liked-by:bert", true}, {"carl", "liked-by:bert", false},
		{"bert", "boats -liked-by:bert", false}, {"carl", "boats -commented-by:bert", true},
		{"carl", "in:comments oar", true}, {"dora", "in:comments oar", false}, {"", "in:comments oar", true},
	} {
		if got := s.finds(tt.who, tt.query); (len(got) == 1) != tt.found {
			t.Errorf("%s finds %v for %q, want %v", tt.who, got, tt.query, tt.found)
		}
	}
	s.must(s.DeletePost(t.Context(), s.user("anna"), post))
	if got := s.finds("anna", "boats"); len(got) > 0 {
		t.Errorf("a deleted post is found")
	}
}

func TestMatchHits(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	post := s.says("anna", "en", "The BOATS, a boat's oar; boating to foo-bar #Amstel https://boats.example.org/x")
	s.replies("bert", post, "Oars! Лодки")
	s.replies("anna", post, "no such thing")
	for query, want := range map[string]string{
		"boat":                  "boat boating boats",
		"the oar":               "oar",
		`"boat oar" x`:          "-",
		"oar foo":               "foo oar",
		"#amstel boat":          "#amstel boat boating boats",
		"foo-bar":               "bar foo",
		"in:comments oar":       "oars",
		"in:comments ЛОДКИ":     "лодки",
		"from:anna":             "",
		"boat -лодка":           "boat boating boats",
		"in:comments oar #rain": "-",
	} {
		sn := s.snap()
		found, err := sn.Match(t.Context(), []Matching{{Query: s.compile(sn, query)}}, []PostID{post, post + 1})
		s.must(err)
		hits, is := found[0][post]
		got := strings.Join(hits, " ")
		if !is {
			got = "-"
		}
		if got != want {
			t.Errorf("%q hits %q, want %q", query, got, want)
		}
	}
}

func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	s.group("anna", NewGroup{Name: "rowing"})
	for text, want := range map[string]string{
		"from:nobody_here": "q has from:nobody_here, and no one has that name",
		"from:rowing":      "q has from:rowing, and that is a group",
		"group:anna x":     "q has group:anna, and that is no group",
		"x -liked-by:zoe":  "q has -liked-by:zoe, and no one has that name",
		"the and":          "q has only words that are in every text: add another",
	} {
		search, err := query.Parse(text)
		s.must(err)
		sn := s.snap()
		_, err = sn.Compile(t.Context(), search)
		if wrong, is := errors.AsType[*InvalidError](err); !is || wrong.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		sn.Close()
	}
}

func TestCompileKnowsOldNames(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	s.must(s.SetProfile(t.Context(), s.user("anna"), ProfileEdit{Name: new("hanna")}))
	q := s.compile(s.snap(), "from:anna from:Hanna")
	if diff := gocmp.Diff([]UserID{s.user("anna")}, q.From); diff != "" {
		t.Error(diff)
	}
}

func TestSearchLangsAreThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	source := one[string](s, `select prosrc from pg_proc where proname = 'search_config'`)
	known := []string{""}
	for _, m := range regexp.MustCompile(`when '(\w+)' then`).FindAllStringSubmatch(source, -1) {
		known = append(known, m[1])
	}
	if diff := gocmp.Diff(known, searchLangs); diff != "" {
		t.Error(diff)
	}
}
