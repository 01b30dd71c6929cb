package importer

import (
	"fmt"
	"hash/maphash"
	"sync"
	"time"
	"unicode/utf8"
)

// A kind says what a line is.
type kind uint8

const (
	kindUser kind = iota
	kindGroup
	kindSubscription
	kindPost
	kindComment
	kindLike
	kindCommentLike
	kindBan
	kinds // how many there are
)

// String is the kind as it stands in the file, and in the table imported.
func (k kind) String() string {
	return [kinds]string{"user", "group", "subscription", "post", "comment", "like", "comment_like", "ban"}[k]
}

// A line is one line of the file, checked as far as it can be by itself.
type line struct {
	number int
	kind   kind

	id          string   // post, comment: of its own
	name        string   // user, group: of its own
	displayName string   // user, group
	status      string   // user, group
	user        string   // the name of who posts, comments, likes, subscribes, bans
	target      string   // subscription, ban: a name; comment, like: a post's id; comment_like: a comment's
	names       []string // group: administrators; post: destinations
	text        string   // post, comment
	at          time.Time

	telling sync.Once
	lang    string // see [line.tell]
}

// external is what the line is remembered by, unique to its kind in the file.
// Names have no spaces, so the parts can't run into each other.
func (l *line) external() string {
	switch l.kind {
	case kindUser, kindGroup:
		return l.name
	case kindPost, kindComment:
		return l.id
	}
	return l.user + " " + l.target
}

// identity is what no other line of the file may have but a repetition of this
// one; empty for lines that may come twice.
func (l *line) identity() string {
	switch l.kind {
	case kindUser, kindGroup:
		return "name " + l.name
	case kindPost, kindComment:
		return l.kind.String() + " " + l.id
	}
	return ""
}

// sum is a hash of all that the line says.
func (l *line) sum(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	write := func(s string) {
		h.WriteString(s)
		h.WriteByte(0)
	}
	for _, s := range []string{l.kind.String(), l.id, l.name, l.displayName, l.status, l.user, l.target, l.text, l.at.Format(time.RFC3339Nano)} {
		write(s)
	}
	for _, s := range l.names {
		write(s)
	}
	return h.Sum64()
}

// A LineError says which line of the file can't be taken, and why.
type LineError struct {
	Line   int // the first is 1
	Reason string
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// bad is the error of this line.
func (l *line) bad(format string, args ...any) error {
	return badLine(l.number, fmt.Sprintf(format, args...))
}

// badLine is the error of a line, whose reason may quote what is in it: not more
// of that than can be read.
func badLine(number int, reason string) error {
	const most = 300
	if utf8.RuneCountInString(reason) > most {
		reason = string([]rune(reason)[:most]) + "…"
	}
	return &LineError{number, reason}
}
