package page

// A deed is something that can be done: a form that is one button.
type deed struct {
	Label, Class, Icon string
	Hint               string // what comes of it, where the label does not say
	Action             string
	Method             string // "": POST
	ReturnTo           string
	Fields             []sending
	Ask                string // the question before it is done; empty: it is done at once
	Sure               string // the button below the question; empty: the label
}

// sending is a field that a form sends, seen by nobody.
type sending struct{ Name, Value string }

// away is a deed by DELETE.
func away(label, action, returnTo string) deed {
	return deed{Label: label, Action: action, Method: "DELETE", ReturnTo: returnTo}
}

// sure is the deed with a question, and its button.
func (d deed) sure() deed {
	if d.Sure != "" {
		d.Label = d.Sure
	}
	d.Class, d.Icon = "danger", ""
	return d
}

// onOff is one of two deeds on the same address: what sets it, or, where it is
// set, what takes it back.
func onOff(on bool, action, returnTo string, set, undo deed) deed {
	one := set
	if on {
		one = undo
		one.Method = "DELETE"
	}
	one.Action, one.ReturnTo = action, returnTo
	return one
}
