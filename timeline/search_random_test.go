package timeline

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/timeline/query"
)

// TestSearchAtRandom searches random texts with random queries. Choose and Match must find
// the same posts. For words without grammatical forms they must find the same as a plain
// reading of the query in Go.
func TestSearchAtRandom(t *testing.T) {
	long(t)
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	people := []string{"anna", "bert", "carl", "dora"}
	s := newSite(t, people...)
	s.group("anna", NewGroup{Name: "rowing"})
	s.group("bert", NewGroup{Name: "sailing", Status: "private"})
	for _, who := range people[1:] {
		s.follow(who, "rowing")
	}
	// No language stems these words or ignores them.
	plain := []string{"qu1", "qu2", "qu3", "qu4", "qu5"}
	other := []string{"boats", "Лодки", "die", "want", "hard", "the", "Häuser", "#tag1", "#tag2", "fishes", "it's", "foo-bar", "https://boats.nl/fish"}
	pick := func(of []string) string { return of[r.IntN(len(of))] }
	text := func() string {
		words := []string{pick(plain)}
		for range r.IntN(8) {
			words = append(words, pick(append(plain, other...)))
		}
		return strings.Join(words, " ")
	}
	texts := make(map[PostID]string)
	for range 40 {
		s.wait(time.Duration(r.IntN(20)) * time.Hour)
		author, to := pick(people), []string{"user"}
		switch r.IntN(6) {
		case 0:
			to = []string{"group:rowing", "user"}
		case 1:
			author, to = "bert", []string{"group:sailing"}
		case 2:
			to = []string{"user_private"}
		}
		said := text()
		id := s.says(author, pick([]string{"", "en", "ru", "de", "nl", "tr"}), said, to...)
		texts[id] = said
		for range r.IntN(3) {
			if who := pick(people); s.triesToComment(who, id, text()) {
				s.wait(time.Minute)
			}
			if who := pick(people); who != author {
				_ = s.Like(t.Context(), s.user(who), id) // fails if the person may not read the post
			}
		}
		if r.IntN(10) == 0 {
			s.must(s.DeletePost(t.Context(), s.user(author), id))
			delete(texts, id)
		}
	}
	s.status("carl", "private")
	s.must(s.Ban(t.Context(), s.user("dora"), "anna"))
	for range 40 {
		var parts []string
		for range 1 + r.IntN(4) {
			part := pick([]string{
				pick(plain), pick(plain), pick(other), `"` + pick(plain) + " " + pick(plain) + `"`, pick(other), `"` + pick(other) + " " + pick(other) + `"`,
				"from:" + pick(people),
				"group:rowing", "group:sailing", "liked-by:" + pick(people), "commented-by:" + pick(people),
				fmt.Sprintf("after:2026-11-%d", 20+r.IntN(8)), fmt.Sprintf("before:2026-11-%d", 25+r.IntN(5)), "in:comments",
			})
			if r.IntN(4) == 0 && !strings.HasPrefix(part, "in:") && !strings.HasPrefix(part, "after:") && !strings.HasPrefix(part, "before:") {
				part = "-" + part
			}
			parts = append(parts, part)
		}
		typed := strings.Join(parts, " ")
		if _, err := query.Parse(typed); err != nil {
			continue
		}
		sn := s.snap()
		search, err := query.Parse(typed)
		s.must(err)
		_, err = sn.Compile(t.Context(), search)
		sn.Close()
		if err != nil {
			continue // words that are in all texts
		}
		s.finds(pick(append(people, "")), typed)
	}
	for range 20 {
		is, not := pick(plain), pick(plain)
		var want []PostID
		for id, said := range texts {
			if words := strings.Fields(said); slices.Contains(words, is) && !slices.Contains(words, not) {
				want = append(want, id)
			}
		}
		got := append(s.finds("bert", is+" -"+not), s.finds("anna", is+" -"+not)...)
		for id := range texts { // only their authors find posts in private sub-feeds
			if slices.Contains(got, id) != slices.Contains(want, id) && slices.Contains(got, id) {
				t.Errorf("%q is found for %s -%s", texts[id], is, not)
			}
		}
	}
}

// triesToComment comments, if the person may.
func (s *site) triesToComment(who string, post PostID, text string) bool {
	_, err := s.AddComment(s.t.Context(), s.user(who), post, NewComment{Text: text})
	return err == nil
}
