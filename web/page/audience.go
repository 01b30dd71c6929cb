package page

import (
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
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

// asked is the question on the button that answers it.
func (s Subject) asked(words catalogue.Language) string {
	switch s {
	case AboutFeed:
		return words.FormAskFeed()
	case AboutGroup:
		return words.FormAskGroup()
	}
	return words.FormAskPost()
}

// sentence says who will see it, and then, of what is there already, whom that
// changes anything for. The page's client says the same; testdata/audience.json
// holds both to it.
func (a *Audience) sentence(words catalogue.Language) string {
	if a == nil {
		return ""
	}
	if a.Refuse != "" {
		return a.Refuse
	}
	all := []string{a.whole(words)}
	if a.About != AboutPost {
		all = append(all, a.change(words)...)
	}
	return strings.Join(all, " ")
}

// whole says who sees it.
func (a *Audience) whole(words catalogue.Language) string {
	everyone, alone, people := words.AudienceEveryonePost, words.AudienceAlonePost, words.AudiencePeoplePost
	switch a.About {
	case AboutFeed:
		everyone, alone, people = words.AudienceEveryoneFeed, words.AudienceAloneFeed, words.AudiencePeopleFeed
	case AboutGroup:
		everyone, alone, people = words.AudienceEveryoneGroup, words.AudienceAloneGroup, words.AudiencePeopleGroup
	}
	switch {
	case a.Everybody:
		return everyone()
	case a.People == 0:
		return alone()
	}
	return people(a.People)
}

// change says who comes and who goes.
func (a *Audience) change(words catalogue.Language) []string {
	var all []string
	switch {
	case a.Gain > 0 && a.Opens:
		all = append(all, words.AudienceGainOpen(a.Gain))
	case a.Gain > 0:
		all = append(all, words.AudienceGain(a.Gain))
	case a.Opens:
		all = append(all, words.AudienceOpen())
	}
	switch {
	case a.Lose > 0 && a.Closes:
		all = append(all, words.AudienceLoseClose(a.Lose))
	case a.Lose > 0:
		all = append(all, words.AudienceLose(a.Lose))
	case a.Closes:
		all = append(all, words.AudienceClose())
	}
	if len(all) == 0 {
		all = append(all, words.AudienceSame())
	}
	return all
}
