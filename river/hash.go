package river

import (
	"encoding/binary"
	"encoding/json"
	"strconv"

	"github.com/zeebo/xxh3"

	"amstel.dev/amstel/timeline"
)

// hashOf is a hash of a value's JSON: the same on every node, for the same
// content, whenever it was read.
func hashOf(v any) uint64 {
	text, err := json.Marshal(v)
	if err != nil {
		panic("river: a value that is no JSON: " + err.Error()) // folds and cards are plain structs
	}
	return xxh3.Hash(text)
}

// foldHash returns a hash of what a fold shows. It leaves out the numbers that rise
// whenever anything happens to the post, whoever may know of that.
func foldHash(f *timeline.Fold) uint64 {
	bare := *f
	bare.Version, bare.Text.CommentsVersion, bare.Text.FreshAt = 0, 0, 0
	return hashOf(&bare)
}

// numbered returns a viewer's own fold with the numbers of the one that others share,
// which rise also where the own fold shows nothing changed.
func numbered(own, shared *timeline.Fold) *timeline.Fold {
	f := *own
	f.Version, f.Text.CommentsVersion, f.Text.FreshAt = shared.Version, shared.Text.CommentsVersion, shared.Text.FreshAt
	return &f
}

// mixer hashes numbers one after another.
type mixer struct{ buf []byte }

func (m *mixer) add(ns ...uint64) {
	for _, n := range ns {
		m.buf = binary.LittleEndian.AppendUint64(m.buf, n)
	}
}

func (m *mixer) flag(b bool) {
	if b {
		m.buf = append(m.buf, 1)
	} else {
		m.buf = append(m.buf, 0)
	}
}

func (m *mixer) sum() uint64 { return xxh3.Hash(m.buf) }

// tag is a hash as it stands on the wire.
func tag(h uint64) string { return strconv.FormatUint(h, 36) }
