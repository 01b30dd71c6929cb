// Package sample has a small invented community in the import format, for tests and
// demonstrations.
//
// Eight people (boris and grace are private, chloe is protected) and three
// groups (kitchen is private, night-walks protected) write in six scripts, to
// feeds, groups and each other. Every type of line occurs. Some cases are there on purpose:
//
//   - two posts of one second (p2, p3), and a comment older than the one before it (c10);
//   - more than five comments (p5), more than six likes (p9), likes of own posts (p9, p12);
//   - a direct with two receivers (p7);
//   - a post, a comment and a like of an author without the right to read the target (p9 in
//     kitchen, c4, hugo's like of p11);
//   - a ban that ends subscriptions both ways (hugo and farid), and a subscription across a
//     ban (grace to anna), which an import skips.
package sample

import (
	"bytes"
	_ "embed"
	"io"
)

//go:embed sample.jsonl
var file []byte

// Source is the name of the source under which the sample is imported.
const Source = "sample"

// Reader returns a reader of the file.
func Reader() io.Reader { return bytes.NewReader(file) }

// Bytes returns a copy of the file, for tests that change it.
func Bytes() []byte { return bytes.Clone(file) }
