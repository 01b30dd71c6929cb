package dataset

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/timeline/importer"
)

// A Community describes a made-up community. It is as uneven as real ones: a few people follow and
// write much, most do little, and comments are mostly on new posts. Equal descriptions give the same
// lines.
type Community struct {
	Posts     int
	People    int
	Groups    int
	Following int     // the number of feeds that each of the busiest people follows
	Busiest   int     // the number of the busiest people
	Comments  float64 // comments per post
	Likes     float64 // likes per post

	// Zipf says whether followers and posts are distributed over the people by Zipf's law: the second
	// person has half as many as the first, the third a third as many.
	Zipf bool
}

// ByZipf returns a community in which followers and posts are distributed by Zipf's law. A few of its
// people have very many followers; that is where the sources of rivers differ most.
func ByZipf(people, posts int) Community {
	return Community{
		Posts: posts, People: people, Groups: max(2, people/30), Following: max(10, people/4), Busiest: max(1, people/100),
		Comments: 0.6, Likes: 0.2, Zipf: true,
	}
}

// Typical returns a community with this number of posts, and otherwise in the proportions of the
// community for which the project's bars are set.
func Typical(posts int) Community {
	return Community{
		Posts: posts, People: max(20, posts*10/86), Groups: max(2, posts/96),
		Following: max(10, min(690, posts/40)), Busiest: 1, Comments: 1.2, Likes: 0.25,
	}
}

// Large returns a community with this number of posts, which should be large. Its 20 busiest people have
// up to 500 subscriptions each.
func Large(posts int) Community {
	return Community{
		Posts: posts, People: max(30, posts/100), Groups: max(3, posts/2000),
		Following: max(10, min(500, posts/200)), Busiest: 20, Comments: 0.6, Likes: 0.2,
	}
}

// A line is a line of the import format (see package importer). Its keys depend on its type.
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

// A lineWriter writes the lines of a community.
type lineWriter struct {
	Community
	out   *json.Encoder
	rand  *rand.Rand
	err   error
	at    time.Time
	lines int
}

// Write writes the community as lines of the import format, and returns how many lines it wrote.
func (c Community) Write(w io.Writer) (lines int, err error) {
	buffered := bufio.NewWriterSize(w, 1<<16)
	s := &lineWriter{
		Community: c, out: json.NewEncoder(buffered), rand: rand.New(rand.NewPCG(1, 2)),
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

func (s *lineWriter) put(l line) {
	l.At = s.at.Format("2006-01-02T15:04:05Z")
	s.lines++
	if err := s.out.Encode(l); err != nil && s.err == nil {
		s.err = err
	}
}

func personName(i int) string { return fmt.Sprintf("person-%d", i) }

func groupName(i int) string { return fmt.Sprintf("circle-%d", i) }

// status returns private for one person in twelve, and protected for one in fourteen.
func status(i int) string {
	switch {
	case i%12 == 5:
		return "private"
	case i%14 == 9:
		return "protected"
	}
	return "public"
}

func (s *lineWriter) people() {
	for i := range s.People {
		s.put(line{Type: "user", Name: personName(i), DisplayName: fmt.Sprintf("Person %d", i), Status: status(i)})
	}
	for i := range s.Groups {
		s.put(line{Type: "group", Name: groupName(i), DisplayName: fmt.Sprintf("Circle %d", i), Status: status(i), Admins: []string{personName(i % s.People)}})
	}
}

// pick returns a random number from 0 to n-1. The lower a number, the more often it is picked, and the
// higher the power, the greater the difference.
func (s *lineWriter) pick(n int, power float64) int {
	return min(n-1, int(float64(n)*math.Pow(s.rand.Float64(), power)))
}

// person returns the number of a random person, as pick does. By Zipf's law it ignores the power, and
// the frequency of person n is in proportion to 1/(n+1).
func (s *lineWriter) person(power float64) int {
	if !s.Zipf {
		return s.pick(s.People, power)
	}
	return min(s.People-1, int(math.Pow(float64(s.People), s.rand.Float64()))-1)
}

// subscriptions writes the subscriptions. The busiest people follow as many feeds as the community says;
// of the others, each follows fewer than the one before. People with many posts have many subscribers.
func (s *lineWriter) subscriptions() {
	for i := range s.People {
		most := float64(s.Following) * math.Pow(float64(max(1, i-s.Busiest+2)), -0.75)
		followed := map[string]bool{personName(i): true}
		for want := min(int(most), s.People/2+1); len(followed) <= want; {
			target := personName(s.person(2))
			if s.rand.IntN(8) == 0 {
				target = groupName(s.pick(s.Groups, 2))
			}
			if followed[target] {
				target = personName(s.rand.IntN(s.People)) // s.person would take long to find the last few
			}
			if !followed[target] {
				followed[target] = true
				s.put(line{Type: "subscription", User: personName(i), Target: target})
			}
		}
	}
}

// posts writes posts, evenly over twenty years. After each post it writes that post's share of comments,
// on posts of the recent past, and of likes, on the post itself.
func (s *lineWriter) posts() {
	const years = 20 * 365 * 24 * time.Hour
	step := years / time.Duration(s.Posts+1)
	comments, likes := 0.0, 0.0
	liked := map[[2]int]bool{}
	said := 0
	for i := range s.Posts {
		s.at = s.at.Add(step)
		author := personName(s.person(3))
		s.put(line{Type: "post", ID: fmt.Sprintf("p%d", i), Author: author, To: s.destinations(author), Text: s.text(12, 60) + s.signs(i)})
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

// signs returns what to add to the text of post i: a hashtag, a mention, both or nothing.
func (s *lineWriter) signs(i int) (signs string) {
	tags := []string{" #amstel", " #boats", " #winter", " #coffee", " #letters"}
	if i%7 == 0 {
		signs = tags[i/7%len(tags)]
	}
	if i%9 == 0 {
		signs += " @" + personName(s.pick(s.People, 3))
	}
	return signs
}

// recent returns the id of one of the last 500 posts up to post i, the newest ones far more often.
func (s *lineWriter) recent(i int) string { return fmt.Sprintf("p%d", i-s.pick(min(i+1, 500), 4)) }

// destinations returns the places of a new post: its author's own feed, a group, or both.
func (s *lineWriter) destinations(author string) []string {
	group := groupName(s.pick(s.Groups, 2))
	switch s.rand.IntN(10) {
	case 0:
		return []string{group}
	case 1:
		return []string{author, group}
	}
	return []string{author}
}

// vocabulary holds the words that texts are made of.
const vocabulary = `a the of to and in that is it for on with as at by from this be not are or have an they which one you were
	all there would their we him been has when who will more no if out so what up said about than into them can only
	other time new some could these two may first then do any like my now over such our man me even most made after
	river boat bridge water harbour morning light street winter letter garden train coffee bicycle market kitchen`

// text returns a text of random words: at least least, and fewer than most.
func (s *lineWriter) text(least, most int) string {
	all := strings.Fields(vocabulary)
	picked := make([]string, least+s.rand.IntN(most-least))
	for i := range picked {
		picked[i] = all[s.rand.IntN(len(all))]
	}
	return strings.Join(picked, " ")
}

// Import imports the file at path into a primary. A file without lines is an error.
func Import(ctx context.Context, pool *pgxpool.Pool, path string) (importer.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return importer.Report{}, err
	}
	defer file.Close()
	imported, err := importer.Import(ctx, pool, file, importer.Options{Source: "bench"})
	if err == nil && imported.Lines == 0 {
		err = fmt.Errorf("%s has no lines", path)
	}
	return imported, err
}

// Save writes a community to a file.
func (c Community) Save(path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriter(file)
	if _, err := c.Write(out); err != nil {
		return err
	}
	return out.Flush()
}

// Padding returns random words, cut to a length in bytes.
func Padding(random *rand.Rand, length int) string {
	all := strings.Fields(vocabulary)
	var b strings.Builder
	for b.Len() < length {
		b.WriteString(all[random.IntN(len(all))])
		b.WriteByte(' ')
	}
	return b.String()[:length]
}
