package text

// An InvalidError says which field of a person's input is wrong and why. Field and Reason together are
// an English sentence, such as "text is empty". An error about input that people type also has a code,
// by which pages find the sentence in the reader's language.
type InvalidError struct {
	Field, Reason string
	Code          string // empty: only programs send this field, and people never see the error
	N             int    // the limit, if the reason is a length
	Name          string // the part of the input that the reason names
}

func (e *InvalidError) Error() string { return e.Field + " " + e.Reason }
