package importer

import (
	"fmt"
	"strings"
	"time"
)

// A Report says what an import did. Where it ended with an error, it is of the
// batches before.
type Report struct {
	Lines         int
	Users         Count
	Groups        Count
	Subscriptions Count
	Posts         Count
	Comments      Count
	Likes         Count
	CommentLikes  Count
	Bans          Count
	Duration      time.Duration
}

// A Count says what became of the lines of one type. All but History are of
// different lines.
type Count struct {
	New     int // taken now
	There   int // taken before, or there without this file
	Skipped int // of what was deleted here since, or a subscription across a ban
	History int // of the new ones: by people who may not read the target, taken as history
}

// Progress says how far an import has come.
type Progress struct {
	Bytes int64 // of the input, as it is: compressed, if it is
	Lines int   // committed
}

// of is the count of a kind of line.
func (r *Report) of(k kind) *Count {
	return [kinds]*Count{
		&r.Users, &r.Groups, &r.Subscriptions, &r.Posts, &r.Comments, &r.Likes, &r.CommentLikes, &r.Bans,
	}[k]
}

// add adds the report of a batch that was committed.
func (r *Report) add(batch *Report) {
	r.Lines += batch.Lines
	for k := range kinds {
		sum, n := r.of(k), batch.of(k)
		sum.New += n.New
		sum.There += n.There
		sum.Skipped += n.Skipped
		sum.History += n.History
	}
}

// New counts the lines that were taken now.
func (r *Report) New() int {
	n := 0
	for k := range kinds {
		n += r.of(k).New
	}
	return n
}

// String is the report for people: a line for each type that occurred, and one
// for the whole.
func (r *Report) String() string {
	var b strings.Builder
	for k := range kinds {
		n := r.of(k)
		if *n == (Count{}) {
			continue
		}
		fmt.Fprintf(&b, "%-14s %7d new %7d already there", strings.ReplaceAll(k.String(), "_", " ")+"s", n.New, n.There)
		if n.Skipped > 0 {
			fmt.Fprintf(&b, " %7d skipped", n.Skipped)
		}
		if n.History > 0 {
			fmt.Fprintf(&b, " (%d by people who may not read the target, taken as history)", n.History)
		}
		b.WriteByte('\n')
	}
	seconds := r.Duration.Seconds()
	fmt.Fprintf(&b, "%d lines in %.1f s", r.Lines, seconds)
	if seconds > 0 {
		fmt.Fprintf(&b, ", %.0f a second", float64(r.Lines)/seconds)
	}
	return b.String()
}
