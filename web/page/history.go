package page

import (
	"regexp"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"amstel.dev/amstel/timeline"
)

// HistoryModel is the content of the page with the texts that a post or comment had.
type HistoryModel struct {
	Shell
	Author   string // the post's author's name
	Post     timeline.PostID
	Comment  timeline.CommentID // 0: the history is the post's
	Versions []timeline.Version // the oldest first
	Mine     bool               // the viewer may delete the history
}

func (m HistoryModel) title() string { return HistoryTitle(m) }

// HistoryTitle returns the title of the page.
func HistoryTitle(m HistoryModel) string {
	if m.Comment != 0 {
		return m.Words.HistoryOfComment()
	}
	return m.Words.HistoryOfPost()
}

// back returns the address of the post or comment.
func (m HistoryModel) back() string {
	if m.Comment != 0 {
		return CommentPath(m.Author, m.Post, m.Comment)
	}
	return PostPath(m.Author, m.Post)
}

// removal returns the button with which the author deletes the earlier texts.
func (m HistoryModel) removal() actionForm {
	one := deleteForm(m.Words.HistoryDelete(), historyAPI(m.Post, m.Comment), m.Path)
	one.Ask, one.Sure = m.Words.HistoryDeleteAsk(), m.Words.HistoryDelete()
	return one
}

// A shownVersion is a version with its differences from the version before.
type shownVersion struct {
	timeline.Version
	Label  string
	Pieces []piece
}

// shown returns the versions, the newest first.
func (m HistoryModel) shown() []shownVersion {
	var all []shownVersion
	last := len(m.Versions) - 1
	for i, v := range m.Versions {
		one := shownVersion{Version: v, Pieces: []piece{{Text: v.Text}}}
		if i > 0 {
			one.Pieces = differences(m.Versions[i-1].Text, v.Text)
		}
		if i == last {
			one.Label = m.Words.HistoryPresent()
		}
		all = append(all, one)
	}
	slices.Reverse(all)
	return all
}

// A piece is a part of a text that stayed, was added, or was removed.
type piece struct {
	Text           string
	Added, Removed bool
}

// units are what texts are compared by: words, spaces, and single other signs.
var units = regexp.MustCompile(`[\pL\pM\pN_]+|\s+|.`)

// differences returns the text before and the text after as one sequence of pieces. Changed
// words between which only spaces stayed are one change, so that "two red cats" after "one
// blue cat" reads as three words for three others.
func differences(was, is string) []piece {
	before, after := units.FindAllString(was, -1), units.FindAllString(is, -1)
	var changes []lcs.Diff
	for _, c := range lcs.DiffLines(before, after) {
		if n := len(changes) - 1; n >= 0 && strings.TrimSpace(strings.Join(before[changes[n].End:c.Start], "")) == "" {
			changes[n].End, changes[n].ReplEnd = c.End, c.ReplEnd
			continue
		}
		changes = append(changes, c)
	}
	var all []piece
	add := func(p piece, words []string) {
		if p.Text = strings.Join(words, ""); p.Text != "" {
			all = append(all, p)
		}
	}
	at := 0
	for _, c := range changes {
		add(piece{}, before[at:c.Start])
		add(piece{Removed: true}, before[c.Start:c.End])
		add(piece{Added: true}, after[c.ReplStart:c.ReplEnd])
		at = c.End
	}
	add(piece{}, before[at:])
	return all
}
