// Package sample is a small community of our own in the import format, for
// tests and demonstrations where no larger file is at hand.
//
// Eight people (boris and grace are private, chloe is protected) and three
// groups (kitchen is private, night-walks protected) write in six scripts, to
// feeds, groups and each other; of every type of line there are some. It has on
// purpose: posts of one second (p2, p3); a comment older than the one before it
// (c10); more than five comments (p5), more than six likes (p9), likes of own
// posts (p9, p12); a direct with two receivers (p7); a post, a comment and a
// like by people who may not read the target (p9 in kitchen, c4, hugo's like of
// p11); a ban that ends subscriptions both ways (hugo and farid); and a
// subscription across a ban (grace to anna), which an import passes over.
package sample

import (
	"bytes"
	_ "embed"
	"io"
)

//go:embed sample.jsonl
var file []byte

// Source is the logical name to import it under.
const Source = "sample"

// Reader reads the file from its beginning.
func Reader() io.Reader { return bytes.NewReader(file) }

// Bytes is the file, for those who make others of it. It is a copy.
func Bytes() []byte { return bytes.Clone(file) }
