package page

import (
	"strings"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// An Audience is the answer to "Who will see this?": how many people can read something
// if a form is sent as it stands, and how many would gain or lose sight of it.
type Audience struct {
	timeline.Audience
	About  Subject
	Refuse string // a sentence that says why there is no answer; empty: there is one
}

// A Subject is the kind of thing whose readers an [Audience] counts.
type Subject string

// The subjects.
const (
	AboutPost  Subject = "post"  // a new post
	AboutMove  Subject = "move"  // an existing post, in other places
	AboutFeed  Subject = "feed"  // the viewer's feed, with another status
	AboutGroup Subject = "group" // a group, with another status
)

// buttonLabel returns the label of the button that asks for the answer.
func (s Subject) buttonLabel(words catalogue.Language) string {
	switch s {
	case AboutFeed:
		return words.FormAskFeed()
	case AboutGroup:
		return words.FormAskGroup()
	}
	return words.FormAskPost()
}

// sentence returns the audience and, for something that exists already, how many people
// gain and lose sight of it. The client has the same function; testdata/audience.json
// tests both.
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

// whole returns the audience in words.
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

// change returns how many people gain and how many lose sight of it.
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
