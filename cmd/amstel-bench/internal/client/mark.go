package client

import (
	"bytes"
	"fmt"
	"strconv"
)

// markPrefix begins each mark; the mark's number follows, and a full stop.
const markPrefix = "amstel-bench-"

// Mark returns a text unlike all other texts. Sockets recognise the frame with the text.
func Mark(number int) string { return fmt.Sprintf("%s%d.", markPrefix, number) }

// newestMark returns the highest number of a mark that a frame has; -1: none.
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
