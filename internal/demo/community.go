package demo

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/BurntSushi/toml"
)

//go:embed community.toml
var communityFile string

// A community is the content of the file community.toml.
type community struct {
	Guest  person   `toml:"guest"`
	Groups []group  `toml:"group"`
	People []person `toml:"person"`
	Say    []pool   `toml:"say"`
	Answer []pool   `toml:"answer"`
}

// A group is an invented group. Its administrator is one of the people.
type group struct {
	Name, Display, About, Admin string
	Status                      string // empty: public
}

// A person is an invented person.
type person struct {
	Name, Display, About string
	Writes               string   // the language of most of the person's texts
	Speaks               []string // other languages in which the person comments
	Follows              []string // people
	Groups               []string
	Posts                []pattern `toml:"post"`
}

// A pattern is a post in all its variants, with the comments that fit it.
type pattern struct {
	To       []string // groups; empty: the author's own feed
	Text     string
	Comments []string
}

// A pool has comments in a language. In the list of answers, the comments answer texts that have one of
// the words; without words, the comments answer any text.
type pool struct {
	Language string
	Words    []string // a * at the end stands for any ending, and ? for a question
	Comments []string
}

// load reads the file community.toml.
var load = sync.OnceValues(func() (*community, error) {
	c := &community{}
	read, err := toml.Decode(communityFile, c)
	if err != nil {
		return nil, fmt.Errorf("the community of the demonstration: %w", err)
	}
	if unknown := read.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("the community of the demonstration: unknown keys %v", unknown)
	}
	return c, nil
})

// speaks reports whether the person writes comments in a language.
func (p *person) speaks(language string) bool {
	return p.Writes == language || slices.Contains(p.Speaks, language)
}

// languageOf returns the language of a text: "ru" if it has a Cyrillic letter, and "en" otherwise.
func languageOf(text string) string {
	if strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) }) {
		return "ru"
	}
	return "en"
}

// answersTo returns the comments that answer a text, from the first pool that fits.
func (c *community) answersTo(text string) []string {
	language := languageOf(text)
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) })
	for _, pool := range c.Answer {
		fits := func(word string) bool {
			begin, stem := strings.CutSuffix(word, "*")
			switch {
			case word == "?":
				return strings.Contains(text, "?")
			case strings.Contains(word, " "):
				return strings.Contains(strings.Join(words, " "), word)
			}
			return slices.ContainsFunc(words, func(w string) bool { return w == word || stem && strings.HasPrefix(w, begin) })
		}
		if pool.Language == language && (len(pool.Words) == 0 || slices.ContainsFunc(pool.Words, fits)) {
			return pool.Comments
		}
	}
	return nil
}

// remarks returns the comments in a language that fit below any post.
func (c *community) remarks(language string) []string {
	for _, pool := range c.Say {
		if pool.Language == language {
			return pool.Comments
		}
	}
	return nil
}
