package intake

import "amstel.dev/amstel/timeline"

// addsAtOnce is how many new feeds a process fetches at the same time, one for each person. A fetch
// takes at most half a minute, and costs a connection and the memory of one document.
const addsAtOnce = 16

// The errors of a request to add a feed, if the feed is not fetched.
var (
	errAdding = &timeline.InvalidError{Field: "address", Reason: "can't be added yet: another feed of yours is being added; wait until that is done, then try again", Code: "intake_adding"}
	errCrowd  = &timeline.InvalidError{Field: "address", Reason: "can't be added now: many people are adding feeds; try again in a minute", Code: "intake_crowd"}
)

// beginAdding notes that a feed of a person is being added; the caller calls done. The error is
// errAdding or errCrowd.
func (w *Worker) beginAdding(actor timeline.UserID) (done func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.adding[actor]:
		return nil, errAdding
	case len(w.adding) == addsAtOnce:
		return nil, errCrowd
	}
	w.adding[actor] = true
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.adding, actor)
	}, nil
}
