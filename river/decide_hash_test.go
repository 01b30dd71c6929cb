package river

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"amstel.dev/amstel/timeline"
)

// colliding returns two texts that have the same JSON but for two letters, and the
// same XXH3 hash, wherever in a longer text they stand: at is where, in the JSON.
//
// XXH3 multiplies the halves of every eight bytes, each XORed with a known key, and
// adds up the products and the eight bytes of the same column of a block. In two
// places of a column with equal upper halves after the XOR, a letter can be swapped with
// another: both sums stay as they are.
func colliding(at int) (one, two string) {
	const block, stripe = 1024, 64
	pad := strings.Repeat("x", block-at%block) // up to the next block
	before, between := strings.Repeat("x", stripe), strings.Repeat("x", 9*stripe-8)
	after := strings.Repeat("x", block)
	text := func(a, c string) string {
		return pad + before + a + "xxxaaaa" + between + c + "xxx4M53" + after
	}
	return text("a", "c"), text("c", "a")
}

// foldOf returns a fold with a text.
func foldOf(text string) *timeline.Fold {
	f := &timeline.Fold{Post: 1, Author: 2}
	f.Text.Text = text
	return f
}

// TestTextsBuiltToCollideHaveDifferentHashes: an author can't write two texts with the same
// hash. With equal hashes, the node would not show the edit from one to the other.
func TestTextsBuiltToCollideHaveDifferentHashes(t *testing.T) {
	t.Parallel()
	written := func(f *timeline.Fold) []byte {
		text, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	one, two := colliding(strings.Index(string(written(foldOf("here"))), "here"))
	a, b := foldOf(one), foldOf(two)
	if xxh3.Hash(written(a)) != xxh3.Hash(written(b)) {
		t.Fatal("the texts do not even collide under XXH3")
	}
	if foldHash(a) == foldHash(b) {
		t.Error("two folds with different texts have the same hash")
	}
	one, two = colliding(0)
	x, y := hasher{buf: []byte(one)}, hasher{buf: []byte(two)}
	if xxh3.Hash(x.buf) != xxh3.Hash(y.buf) {
		t.Fatal("the mixed texts do not even collide under XXH3")
	}
	if x.sum() == y.sum() {
		t.Error("two texts that are mixed have the same hash")
	}
	if tag(digest{1, 2}) == tag(digest{1, 3}) || tag(digest{1, 2}) == tag(digest{3, 2}) {
		t.Error("a tag leaves out a part of the hash")
	}
}

// TestOwnFoldHasTheNumbersOfTheSharedFold: a viewer's own fold differs from the shared fold only
// in its numbers.
func TestOwnFoldHasTheNumbersOfTheSharedFold(t *testing.T) {
	t.Parallel()
	own, shared := foldOf("own"), foldOf("shared")
	shared.Version, shared.Text.CommentsVersion, shared.Text.FreshAt = 3, 4, 5
	got := withNumbersOf(own, shared)
	if got.Version != 3 || got.Text.CommentsVersion != 4 || got.Text.FreshAt != 5 || got.Text.Text != "own" || own.Version != 0 {
		t.Errorf("the own fold became %+v, and its original %+v", got, own)
	}
	if foldHash(got) != foldHash(own) {
		t.Error("the numbers change the hash")
	}
}

// BenchmarkFoldHash measures the hash of a fold with a text of 300 letters and four
// comments of 200.
func BenchmarkFoldHash(b *testing.B) {
	f := foldOf(strings.Repeat("post ", 60))
	for range 4 {
		f.Comments.Comments = append(f.Comments.Comments, timeline.Comment{Text: strings.Repeat("hello", 40)})
	}
	for b.Loop() {
		foldHash(f)
	}
}

// BenchmarkTag measures the tag of an entry with the hashes of ten cards.
func BenchmarkTag(b *testing.B) {
	for b.Loop() {
		var m hasher
		for i := range uint64(20) {
			m.add(i)
		}
		tag(m.sum())
	}
}
