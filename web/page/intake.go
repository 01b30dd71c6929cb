package page

import (
	"net/url"
	"strconv"
	"time"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// The addresses of intakes.
const (
	IntakesPath = "/settings/imports"
	intakesAPI  = "/api/v1/intakes"
)

// An Intake is an intake with the facts that its page shows beside it.
type Intake struct {
	timeline.Intake
	To       string              // the place, as in the API
	Group    *timeline.GroupCard // of the place; nil: the place is the owner's
	Owner    *timeline.UserCard
	Own      bool   // the viewer is the owner
	Problem  string // the sentence of the fault; empty: there is none
	Skipping string // why the last item was skipped, which only the owner is told; empty: none was
	Now      time.Time
}

func (n Intake) api() string { return intakesAPI + "/" + strconv.FormatInt(n.ID, 10) }

// place returns in words where the posts go.
func (n Intake) place(words catalogue.Language) string {
	switch {
	case n.Group != nil:
		return namedGroup(n.Group).Text
	case n.To == string(timeline.WhatUserPrivate):
		return words.PostToPrivate()
	case n.To == string(timeline.WhatUserFYEO):
		return words.PostToYou()
	}
	return words.PostToFeed()
}

// next returns in words when the feed is fetched next, in minutes or hours.
func (n Intake) next(words catalogue.Language) string {
	in := n.DueAt.Sub(n.Now)
	switch minutes := int(in.Round(time.Minute).Minutes()); {
	case minutes < 1:
		return words.IntakeNextSoon()
	case minutes < 90:
		return words.IntakeNextMinutes(minutes)
	}
	return words.IntakeNextHours(int(in.Round(time.Hour).Hours()))
}

// actions returns what the viewer may do with an intake, on the page at a path.
func (n Intake) actions(words catalogue.Language, path string) []actionForm {
	var all []actionForm
	set := func(label, state string) {
		all = append(all, actionForm{Label: label, Action: n.api() + ".json", Method: "PATCH", ReturnTo: path, Fields: []sending{{"intake[state]", state}}})
	}
	switch {
	case !n.Own:
	case n.State == timeline.IntakeOn:
		all = append(all, actionForm{Label: words.IntakeLook(), Action: n.api() + "/look.json", ReturnTo: path})
		set(words.IntakePause(), timeline.IntakePaused)
	default:
		set(words.IntakeResume(), timeline.IntakeOn)
	}
	remove := deleteForm(words.IntakeRemove(), n.api()+".json", path)
	remove.Ask, remove.Sure, remove.Class = words.IntakeRemoveAsk(), words.IntakeRemove(), "danger"
	return append(all, remove)
}

// intakeIntoPath returns the path of the page at which a person imports a feed into a group.
func intakeIntoPath(group string) string {
	return IntakesPath + "?to=" + url.QueryEscape("group:"+group)
}
