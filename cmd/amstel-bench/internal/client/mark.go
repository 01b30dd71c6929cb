package client

import (
	"bytes"
	"fmt"
	"strconv"
)

// markPrefix begins each mark. The mark's number follows, and then a full stop.
const markPrefix = "amstel-bench-"

// Mark returns the mark with a number, a text unlike all other texts. A measurement writes it into a
// post or a comment, so that the sockets recognise the frame that shows the change.
func Mark(number int) string { return fmt.Sprintf("%s%d.", markPrefix, number) }

// newestMark returns the highest number among the marks in a frame, or -1 if the frame has no mark.
func newestMark(frame []byte) int {
	newest := -1
	for {
		_, rest, found := bytes.Cut(frame, []byte(markPrefix))
		if !found {
			return newest
		}
		digits, _, _ := bytes.Cut(rest[:min(20, len(rest))], []byte("."))
		if n, err := strconv.Atoi(string(digits)); err == nil {
			newest = max(newest, n)
		}
		frame = rest
	}
}
