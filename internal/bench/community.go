package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// A community is one of our own making: the same lines for the same numbers,
// and as uneven as real ones are. A few follow and write much, most do little,
// and comments go to what is new.
type community struct {
	Posts     int
	People    int
	Groups    int
	Following int     // how many the busiest people follow
	Busiest   int     // how many people follow that many
	Comments  float64 // a post
	Likes     float64 // a post
}

// likeReal is a community like the one that the project's bars were set on, with
// so many posts.
func likeReal(posts int) community {
	return community{
		Posts: posts, People: max(20, posts*10/86), Groups: max(2, posts/96),
		Following: max(10, min(690, posts/40)), Busiest: 1, Comments: 1.2, Likes: 0.25,
	}
}

// large is one with many posts and 20 people who follow 500 others each.
func large(posts int) community {
	return community{
		Posts: posts, People: max(30, posts/100), Groups: max(3, posts/2000),
		Following: max(10, min(500, posts/200)), Busiest: 20, Comments: 0.6, Likes: 0.2,
	}
}

// line is a line of the import format; which keys it has is its type's business.
type line struct {
	Type        string   `json:"type"`
	ID          string   `json:"id,omitempty"`
	Name        string   `json:"name,omitempty"`
	DisplayName string   `json:"display_name,omitempty"`
	Status      string   `json:"status,omitempty"`
	Admins      []string `json:"admins,omitempty"`
	User        string   `json:"user,omitempty"`
	Target      string   `json:"target,omitempty"`
	Author      string   `json:"author,omitempty"`
	To          []string `json:"to,omitempty"`
	Post        string   `json:"post,omitempty"`
	Text        string   `json:"text,omitempty"`
	At          string   `json:"at"`
}

// A scribe writes the lines of a community.
type scribe struct {
	community
	out   *json.Encoder
	rand  *rand.Rand
	err   error
	at    time.Time
	lines int
}

// write writes the community's lines, and answers how many.
func (c community) write(w io.Writer) (lines int, err error) {
	buffered := bufio.NewWriterSize(w, 1<<16)
	s := &scribe{
		community: c, out: json.NewEncoder(buffered), rand: rand.New(rand.NewPCG(1, 2)),
		at: time.Date(2005, time.April, 7, 0, 0, 0, 0, time.UTC),
	}
	s.people()
	s.subscriptions()
	s.posts()
	if s.err != nil {
		return 0, s.err
	}
	return s.lines, buffered.Flush()
}

func (s *scribe) put(l line) {
	l.At = s.at.Format("2006-01-02T15:04:05Z")
	s.lines++
	if err := s.out.Encode(l); err != nil && s.err == nil {
		s.err = err
	}
}

func personName(i int) string { return fmt.Sprintf("person-%d", i) }
func groupName(i int) string  { return fmt.Sprintf("circle-%d", i) }

// status is private for one in twelve, and protected for one in fourteen.
func status(i int) string {
	switch {
	case i%12 == 5:
		return "private"
	case i%14 == 9:
		return "protected"
	}
	return "public"
}

func (s *scribe) people() {
	for i := range s.People {
		s.put(line{Type: "user", Name: personName(i), DisplayName: fmt.Sprintf("Person %d", i), Status: status(i)})
	}
	for i := range s.Groups {
		s.put(line{Type: "group", Name: groupName(i), DisplayName: fmt.Sprintf("Circle %d", i), Status: status(i), Admins: []string{personName(i % s.People)}})
	}
}

// pick is one of n, the first ones far more often: the more so, the higher the
// power.
func (s *scribe) pick(n int, power float64) int {
	return min(n-1, int(float64(n)*math.Pow(s.rand.Float64(), power)))
}

// subscriptions: the busiest follow as many as is said, the others the fewer,
// the further down they are. Who writes much is followed much.
func (s *scribe) subscriptions() {
	for i := range s.People {
		most := float64(s.Following) * math.Pow(float64(max(1, i-s.Busiest+2)), -0.75)
		followed := map[string]bool{personName(i): true}
		for want := min(int(most), s.People/2+1); len(followed) <= want; {
			target := personName(s.pick(s.People, 2))
			if s.rand.IntN(8) == 0 {
				target = groupName(s.pick(s.Groups, 2))
			}
			if followed[target] {
				target = personName(s.rand.IntN(s.People)) // else the last ones would be long in coming
			}
			if !followed[target] {
				followed[target] = true
				s.put(line{Type: "subscription", User: personName(i), Target: target})
			}
		}
	}
}

// posts come evenly over twenty years, each followed by its share of what is
// said about those before it.
func (s *scribe) posts() {
	const years = 20 * 365 * 24 * time.Hour
	step := years / time.Duration(s.Posts+1)
	comments, likes := 0.0, 0.0
	liked := map[[2]int]bool{}
	said := 0
	for i := range s.Posts {
		s.at = s.at.Add(step)
		author := personName(s.pick(s.People, 3))
		s.put(line{Type: "post", ID: fmt.Sprintf("p%d", i), Author: author, To: s.places(author), Text: s.text(12, 60) + s.signs(i)})
		for comments += s.Comments; comments >= 1; comments-- {
			said++
			s.put(line{Type: "comment", ID: fmt.Sprintf("c%d", said), Post: s.recent(i), Author: personName(s.pick(s.People, 3)), Text: s.text(4, 30)})
		}
		for likes += s.Likes; likes >= 1; likes-- {
			who := s.pick(s.People, 2)
			if !liked[[2]int{who, i}] {
				liked[[2]int{who, i}] = true
				s.put(line{Type: "like", User: personName(who), Post: fmt.Sprintf("p%d", i)})
			}
		}
	}
}

// signs are what the text of every so manyth post has besides: a tag, a name.
func (s *scribe) signs(i int) (signs string) {
	tags := []string{" #amstel", " #boats", " #winter", " #coffee", " #letters"}
	if i%7 == 0 {
		signs = tags[i/7%len(tags)]
	}
	if i%9 == 0 {
		signs += " @" + personName(s.pick(s.People, 3))
	}
	return signs
}

// recent is one of the posts up to i, the last ones far more often.
func (s *scribe) recent(i int) string { return fmt.Sprintf("p%d", i-s.pick(min(i+1, 500), 4)) }

// places are where a post goes: its author's own feed, a group, or both.
func (s *scribe) places(author string) []string {
	group := groupName(s.pick(s.Groups, 2))
	switch s.rand.IntN(10) {
	case 0:
		return []string{group}
	case 1:
		return []string{author, group}
	}
	return []string{author}
}

// words are what texts are made of.
const words = `a the of to and in that is it for on with as at by from this be not are or have an they which one you were
	all there would their we him been has when who will more no if out so what up said about than into them can only
	other time new some could these two may first then do any like my now over such our man me even most made after
	river boat bridge water harbour morning light street winter letter garden train coffee bicycle market kitchen`

// text is some words, from so many up to so many.
func (s *scribe) text(least, most int) string {
	all := strings.Fields(words)
	picked := make([]string, least+s.rand.IntN(most-least))
	for i := range picked {
		picked[i] = all[s.rand.IntN(len(all))]
	}
	return strings.Join(picked, " ")
}
