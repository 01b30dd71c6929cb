package timeline

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// named is who an id of the site's people belongs to.
func (s *site) named(ids []UserID) []string {
	var names []string
	for _, id := range ids {
		for name, person := range s.people {
			if person == id {
				names = append(names, name)
			}
		}
	}
	return names
}

func TestFind(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "annabel", "bert", "hanna", "zoe")
	groups := map[string]GroupID{
		"rowing": s.group("anna", NewGroup{Name: "rowing", DisplayName: "Rowing on the Amstel", Description: "boats and oars"}),
		"annals": s.group("bert", NewGroup{Name: "annals", Status: "private"}),
	}
	s.must(s.SetProfile(t.Context(), s.user("bert"), ProfileEdit{DisplayName: new("Bert O'Anson, Лодочник")}))
	s.must(s.SetProfile(t.Context(), s.user("zoe"), ProfileEdit{Name: new("zoe2")}))
	s.follow("zoe", "hanna")
	for _, tt := range []struct {
		who, text      string
		people, groups []string
	}{
		{"", "anna", []string{"anna", "annabel"}, []string{"annals"}},
		{"", "@Anna", []string{"anna", "annabel"}, []string{"annals"}},
		{"", "an", []string{"anna", "annabel", "bert"}, []string{"annals", "rowing"}}, // words of display names and descriptions too
		{"", "bert ans", []string{"bert"}, nil},
		{"", "лод", []string{"bert"}, nil},
		{"", "oar", nil, []string{"rowing"}},
		{"zoe", "han", []string{"hanna"}, nil},
		{"", "zoe", []string{"zoe"}, nil}, // an old name
		{"", "nobody", nil, nil},
		{"", "a%_'\\:*&", []string{"anna", "annabel", "bert"}, []string{"annals", "rowing"}},
	} {
		people, found, err := s.Find(t.Context(), s.people[tt.who], tt.text, 10)
		s.must(err)
		var names []string
		for _, id := range found {
			for name, group := range groups {
				if group == id {
					names = append(names, name)
				}
			}
		}
		if got := s.named(people); !slices.Equal(got, tt.people) || !slices.Equal(names, tt.groups) {
			t.Errorf("%q finds %q and %q, want %q and %q", tt.text, got, names, tt.people, tt.groups)
		}
	}
	s.must(s.Ban(t.Context(), s.user("anna"), "bert"))
	s.suspend("annabel")
	for who, want := range map[string]int{"": 2, "bert": 1, "hanna": 2} {
		people, _, err := s.Find(t.Context(), s.people[who], "an", 10)
		s.must(err)
		if len(people) != want {
			t.Errorf("%s finds %q, want %d", who, s.named(people), want)
		}
	}
	for _, text := range []string{"", "@", "!!", "a\nb"} {
		if _, _, err := s.Find(t.Context(), 0, text, 10); !isInvalid(err) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// suspend keeps somebody out.
func (s *site) suspend(name string) {
	s.t.Helper()
	_, err := s.db.Pool.Exec(s.t.Context(), `update users set suspended_at = now() where id = $1`, s.user(name))
	s.must(err)
}

func isInvalid(err error) bool {
	_, is := errors.AsType[*InvalidError](err)
	return is
}

func TestDirectory(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	small := s.group("anna", NewGroup{Name: "small"})
	large := s.group("anna", NewGroup{Name: "large", Status: "private", Description: "a large one"})
	s.follow("bert", "large")
	s.follow("carl", "large")
	all, err := s.Directory(t.Context(), 0, " ", nil, 0, 10)
	s.must(err)
	if want := []ListedGroup{{large, 3}, {small, 1}}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
	second, err := s.Directory(t.Context(), 0, "", nil, 1, 10)
	s.must(err)
	found, err := s.Directory(t.Context(), 0, "LAR", nil, 0, 10)
	s.must(err)
	if !slices.Equal(second, all[1:]) || !slices.Equal(found, all[:1]) {
		t.Errorf("%v and %v", second, found)
	}
	s.must(s.Ban(t.Context(), s.user("bert"), "carl"))
	sizes, err := s.GroupSizes(t.Context())
	s.must(err)
	for _, held := range []GroupSizes{nil, sizes, sizes.Without(large)} {
		if all, err = s.Directory(t.Context(), s.user("bert"), "", held, 0, 1); err != nil || !slices.Equal(all, []ListedGroup{{large, 2}}) {
			t.Errorf("with the sizes %v: %v, %v", held, all, err)
		}
	}
	// Of sizes that are held, what came since is not known.
	newer := s.group("anna", NewGroup{Name: "newer"})
	s.follow("carl", "small")
	_, err = s.db.Pool.Exec(t.Context(), `insert into jobs (kind, user_id) values ('delete account', $1)`, s.user("carl"))
	s.must(err)
	if all, err = s.Directory(t.Context(), 0, "", sizes, 0, 10); err != nil || !slices.Equal(all, []ListedGroup{{large, 3}, {small, 1}, {newer, 1}}) {
		t.Errorf("a new group among those that are held: %v, %v", all, err)
	}
	if all, err = s.Directory(t.Context(), 0, "", nil, 0, 10); err != nil || !slices.Equal(all, []ListedGroup{{large, 2}, {small, 1}, {newer, 1}}) {
		t.Errorf("without an account that is being deleted: %v, %v", all, err)
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	s := newSite(t, "me", "friend", "second", "popular", "known", "busy", "quiet", "hidden", "banned", "private", "gone", "asked", "hiding")
	s.group("popular", NewGroup{Name: "joined"})
	s.group("popular", NewGroup{Name: "closed", Status: "private"})
	for _, f := range []string{"friend", "second"} {
		s.follow("me", f)
		for _, who := range []string{"popular", "hidden", "banned", "gone", "asked"} {
			s.follow(f, who)
		}
	}
	s.follow("friend", "known")
	s.follow("friend", "joined")
	s.follow("friend", "closed")
	s.follow("friend", "private")
	s.follow("me", "hiding")
	s.follow("hiding", "quiet") // which nobody is told
	for range 3 {
		s.post("busy")
	}
	s.post("private")
	s.clock = s.clock.Add(200 * 24 * time.Hour) // nobody wrote for long: there are suggestions all the same
	s.status("private", "private")
	s.status("hiding", "fyeo")
	s.status("asked", "protected")
	_, err := s.Subscribe(t.Context(), s.user("me"), FeedName{Name: "asked"}, SubscribeOptions{})
	s.must(err)
	s.must(s.HideUser(t.Context(), s.user("me"), "hidden", HiddenParts{Posts: true}))
	s.must(s.Ban(t.Context(), s.user("banned"), "me"))
	s.suspend("gone")
	found, err := s.Suggest(t.Context(), s.user("me"), 10)
	s.must(err)
	var got []string
	for _, p := range found.People {
		got = append(got, fmt.Sprint(s.named([]UserID{p.ID})[0], " ", p.Friends))
	}
	if want := []string{"popular 2", "known 1", "busy 0"}; !slices.Equal(got, want) {
		t.Errorf("people %q, want %q", got, want)
	}
	if len(found.Groups) != 1 || found.Groups[0].Friends != 1 {
		t.Errorf("groups %v", found.Groups)
	}
	if found, err = s.Suggest(t.Context(), s.user("me"), 1); err != nil || len(found.People) != 1 {
		t.Errorf("%v, %v", found, err)
	}
}

func TestSavedSearches(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	me, ctx := s.user("anna"), t.Context()
	boats, err := s.SaveSearch(ctx, me, " Boats ", "BOATS  from:@Bert")
	s.must(err)
	bare, err := s.SaveSearch(ctx, me, "", "#amstel")
	s.must(err)
	if boats.Name != "Boats" || boats.Query != "boats from:bert" || bare.Name != "#amstel" {
		t.Errorf("%+v, %+v", boats, bare)
	}
	if _, err := s.SaveSearch(ctx, me, "boats", "x"); !errors.Is(err, ErrTaken) {
		t.Errorf("the same name again: %v", err)
	}
	if _, err := s.SaveSearch(ctx, me, "x", "-x"); !isInvalid(err) {
		t.Errorf("nonsense: %v", err)
	}
	if err := s.RenameSearch(ctx, me, bare.ID, "BOATS"); !errors.Is(err, ErrTaken) {
		t.Errorf("renamed to the other's: %v", err)
	}
	if err := s.RenameSearch(ctx, s.user("bert"), bare.ID, "x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("another's: %v", err)
	}
	s.must(s.RenameSearch(ctx, me, bare.ID, "river"))
	s.must(s.DropSearch(ctx, me, boats.ID))
	if err := s.DropSearch(ctx, me, boats.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("dropped twice: %v", err)
	}
	all, err := s.SavedSearches(ctx, me)
	s.must(err)
	if !slices.Equal(all, []SavedSearch{{bare.ID, "river", "#amstel"}}) {
		t.Errorf("%v", all)
	}
	for i := 1; i < maxSavedSearches; i++ {
		_, err := s.SaveSearch(ctx, me, fmt.Sprint("n", i), "x")
		s.must(err)
	}
	if _, err := s.SaveSearch(ctx, me, "one more", "x"); !isInvalid(err) {
		t.Errorf("one too many: %v", err)
	}
}

func TestLanguagesThatEverybodyMayReadAreTold(t *testing.T) {
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
		if diff := cmp.Diff(want, codes); diff != "" {
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
		t.Errorf("of a tag that nobody used: %v", err)
	}
}
