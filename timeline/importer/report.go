package importer

import (
	"fmt"
	"strings"
	"time"
)

// A Report is the result of an import. If the import ended with an error, the report is
// about the batches that were committed.
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
	Files         Count // of posts
	CommentFiles  Count
	Extras        [kinds - firstExportedKind]Count // of the kinds of lines that only exports have
	Duration      time.Duration
}

// A Count says how many lines of one type were imported, and how many were not, and why. New,
// There and Skipped add up to all lines.
type Count struct {
	New     int // imported now
	There   int // imported before, or existing for another reason
	Skipped int // lines about deleted accounts, posts and comments; subscriptions across a ban; settings that are not restored
	History int // how many of New are history: the person may not read the target now
}

// Progress is how far an import has come.
type Progress struct {
	Bytes int64 // bytes of the input; of a compressed file, the compressed bytes
	Lines int   // imported and committed
}

// plural returns the kind in words.
func (k kind) plural() string {
	if k == kindSearch {
		return "searches"
	}
	return strings.ReplaceAll(k.String(), "_", " ") + "s"
}

// count returns the count of a kind of line.
func (r *Report) count(k kind) *Count {
	if k >= firstExportedKind {
		return &r.Extras[k-firstExportedKind]
	}
	return [firstExportedKind]*Count{
		&r.Users, &r.Groups, &r.Subscriptions, &r.Posts, &r.Comments, &r.Likes, &r.CommentLikes, &r.Bans, &r.Files, &r.CommentFiles,
	}[k]
}

// add adds the report of a batch that was committed.
func (r *Report) add(batch *Report) {
	r.Lines += batch.Lines
	for k := range kinds {
		sum, n := r.count(k), batch.count(k)
		sum.New += n.New
		sum.There += n.There
		sum.Skipped += n.Skipped
		sum.History += n.History
	}
}

// New returns the number of lines that were imported now.
func (r *Report) New() int {
	n := 0
	for k := range kinds {
		n += r.count(k).New
	}
	return n
}

// String returns the report for people: a line for each type that occurred, and a line
// with the sum and the speed.
func (r *Report) String() string {
	var b strings.Builder
	for k := range kinds {
		n := r.count(k)
		if *n == (Count{}) {
			continue
		}
		fmt.Fprintf(&b, "%-14s %7d new %7d already there", k.plural(), n.New, n.There)
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
