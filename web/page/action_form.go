package page

// An actionForm is an action of the viewer: a form of one button.
type actionForm struct {
	Label, Class, Icon string
	Hint               string // what the action does, if the label does not say so
	Action             string
	Method             string // "": POST
	ReturnTo           string
	Fields             []sending
	Then               string // the label once the action is done, in turn with Label; empty: the page changes in another way
	Ask                string // the question before the action; empty: no question
	Sure               string // the button below the question; empty: the label
	Cancel             string // the link beside that button; empty: there is none
}

// A sending is a hidden field of a form.
type sending struct{ Name, Value string }

// deleteForm returns a form that sends DELETE.
func deleteForm(label, action, returnTo string) actionForm {
	return actionForm{Label: label, Action: action, Method: "DELETE", ReturnTo: returnTo}
}

// sure returns the second button of a form that asks a question.
func (d actionForm) sure() actionForm {
	if d.Sure != "" {
		d.Label = d.Sure
	}
	d.Class, d.Icon = "danger", ""
	return d
}

// toggle returns one of two forms for the same address: set, or, if on, the undo form,
// which sends DELETE.
func toggle(on bool, action, returnTo string, set, undo actionForm) actionForm {
	one := set
	if on {
		one = undo
		one.Method = "DELETE"
	}
	one.Action, one.ReturnTo = action, returnTo
	return one
}
