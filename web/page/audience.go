package page

import (
	"strconv"
	"strings"

	"amstel.dev/amstel/timeline"
)

// Audience is the answer to "Who will see this?": who may read something as the
// form about it stands, and who would gain or lose sight of it.
type Audience struct {
	timeline.Audience
	About  Subject
	Refuse string // why it can't be said, a sentence; empty: it can
}

// Subject is what an audience is of.
type Subject string

// What people ask about.
const (
	AboutPost  Subject = "post"  // one that is not there yet
	AboutMove  Subject = "move"  // one that is, in other places
	AboutFeed  Subject = "feed"  // one's own, with another status
	AboutGroup Subject = "group" // with another status
)

func (s Subject) words() string {
	switch s {
	case AboutFeed:
		return "your feed"
	case AboutGroup:
		return "the group"
	}
	return "this"
}

// asked is the same in a question of whoever fills in the form.
func (s Subject) asked() string {
	if s == AboutFeed {
		return "my feed"
	}
	return s.words()
}

// sentence says who will see it, and then, of what is there already, whom that
// changes anything for. The page's client says the same; testdata/audience.json
// holds both to it.
func (a *Audience) sentence() string {
	if a == nil {
		return ""
	}
	if a.Refuse != "" {
		return a.Refuse
	}
	all := []string{a.whole()}
	if a.About != AboutPost {
		all = append(all, a.change())
	}
	return strings.Join(all, " ")
}

// whole says who sees it.
func (a *Audience) whole() string {
	sees := " will see " + a.About.words() + "."
	switch {
	case a.Everybody:
		return "Everybody" + sees
	case a.People == 0:
		return "Only you" + sees
	}
	return count(a.People, "person", "people") + sees
}

// change says who comes and who goes.
func (a *Audience) change() string {
	var parts []string
	if a.Gain > 0 || a.Opens {
		parts = append(parts, crowd(count(a.Gain, "person", "people"), a.Gain, a.Opens)+" will see it who can't now")
	}
	if a.Lose > 0 || a.Closes {
		people := strconv.Itoa(a.Lose)
		if len(parts) == 0 {
			people = count(a.Lose, "person", "people")
		}
		parts = append(parts, crowd(people, a.Lose, a.Closes)+" will lose sight of it")
	}
	if len(parts) == 0 {
		return "Nobody gains or loses sight of it."
	}
	return sentence("", strings.Join(parts, ", "))
}

// crowd is n people, with all who are not signed in or without.
func crowd(people string, n int, strangers bool) string {
	switch {
	case n > 0 && strangers:
		return people + ", and everybody who is not signed in,"
	case strangers:
		return "everybody who is not signed in"
	}
	return people
}
