package text

// An InvalidError says which part of a person's input is wrong, in words fit to
// show them: "text is empty".
type InvalidError struct{ Field, Reason string }

func (e *InvalidError) Error() string { return e.Field + " " + e.Reason }
