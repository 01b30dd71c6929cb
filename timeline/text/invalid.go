package text

// An InvalidError says which part of a person's input is wrong, in words fit to
// show them: "text is empty". What a person may have typed has a code, too, by which
// pages say it in the reader's language.
type InvalidError struct {
	Field, Reason string
	Code          string // empty: only a program sends this
	N             int    // the limit, where it is one of a length
	Name          string // what was typed, where the reason names it
}

func (e *InvalidError) Error() string { return e.Field + " " + e.Reason }
