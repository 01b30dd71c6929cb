package demo

import (
	"slices"
	"strings"
	"testing"
)

func TestCommunityNamesItsOwnPeopleAndGroups(t *testing.T) {
	t.Parallel()
	c, err := load()
	if err != nil {
		t.Fatal(err)
	}
	people, groups := []string{Guest}, []string{}
	for _, p := range c.People {
		people = append(people, p.Name)
	}
	for _, g := range c.Groups {
		groups = append(groups, g.Name)
		if !slices.Contains(people, g.Admin) {
			t.Errorf("group %s has the administrator %q", g.Name, g.Admin)
		}
	}
	if len(people) < 20+1 {
		t.Errorf("the community has %d people", len(people))
	}
	for _, p := range append(c.People, c.Guest) {
		for _, name := range p.Follows {
			if !slices.Contains(people, name) || name == p.Name {
				t.Errorf("%s follows %q", p.Name, name)
			}
		}
		for _, name := range p.Groups {
			if !slices.Contains(groups, name) {
				t.Errorf("%s is in the group %q", p.Name, name)
			}
		}
		for _, pattern := range p.Posts {
			for _, name := range pattern.To {
				if !slices.Contains(p.Groups, name) {
					t.Errorf("%s posts to %q without being in it", p.Name, name)
				}
			}
		}
	}
}

func TestTextsOfTheCommunityHaveWholeAlternatives(t *testing.T) {
	t.Parallel()
	c, err := load()
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, p := range c.People {
		for _, pattern := range p.Posts {
			texts = append(append(texts, pattern.Text), pattern.Comments...)
		}
	}
	for _, pool := range append(c.Say, c.Answer...) {
		texts = append(texts, pool.Comments...)
	}
	random := newRandom(1)
	for _, text := range texts {
		for range 20 {
			got := expand(random, text)
			if strings.ContainsAny(got, "{|}") || strings.TrimSpace(got) == "" || strings.Count(text, "{") != strings.Count(text, "}") {
				t.Errorf("%q becomes %q", text, got)
				break
			}
		}
	}
}

func TestExpandChoosesOneAlternative(t *testing.T) {
	t.Parallel()
	random, got := newRandom(1), map[string]bool{}
	for range 100 {
		got[expand(random, "A {cat|dog}{!|}")] = true
	}
	for _, want := range []string{"A cat!", "A dog!", "A cat", "A dog"} {
		if !got[want] {
			t.Errorf("%q never comes up", want)
		}
	}
	if len(got) != 4 {
		t.Errorf("got %v", got)
	}
}

func TestAnswersFitTheText(t *testing.T) {
	t.Parallel()
	c, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ text, word string }{
		{"Hello, is this a test?", "hello"},
		{"My cat sleeps.", "cat"},
		{"What now?", "?"},
		{"The category theory of hiking", ""}, // neither cat nor hi
		{"", ""},
		{"Привет!", "привет*"},
		{"Купила хлеба", "хлеб*"},
		{"Который час?", "?"},
		{"Good morning to all", "good morning"},
		{"Скоро зима", ""},
	} {
		var want []string
		for _, pool := range c.Answer {
			if want == nil && pool.Language == languageOf(tt.text) && (tt.word == "" && pool.Words == nil || slices.Contains(pool.Words, tt.word)) {
				want = pool.Comments
			}
		}
		if got := c.answersTo(tt.text); len(got) == 0 || !slices.Equal(got, want) {
			t.Errorf("%q is answered by one of %q, want %q", tt.text, got, want)
		}
	}
}
