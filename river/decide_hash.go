package river

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"

	"amstel.dev/amstel/timeline"
)

// A digest is the first half of a SHA-512/256 hash, which takes less time than SHA-256 on
// processors without instructions for SHA-2. Digests alone decide whether a viewer is shown any
// change, and authors choose the text that is hashed. So finding two texts with the same digest
// must be infeasible: an edit from one to the other would not be shown.
type digest [2]uint64

func digestOf(data []byte) digest {
	sum := sha512.Sum512_256(data)
	return digest{binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])}
}

// hashOf returns the digest of a value's JSON: the same on every node, for the same
// content, whenever it was read.
func hashOf(v any) digest {
	text, err := json.Marshal(v)
	if err != nil {
		panic("river: a value that is no JSON: " + err.Error()) // folds and cards are plain structs
	}
	return digestOf(text)
}

// foldHash returns a hash of the visible parts of a fold. It leaves out the version numbers,
// which rise with every event on the post, even an event that a viewer may not know of.
func foldHash(f *timeline.Fold) digest {
	bare := *f
	bare.Version, bare.Text.CommentsVersion, bare.Text.FreshAt = 0, 0, 0
	return hashOf(&bare)
}

// withNumbersOf returns a viewer's own fold with the version numbers of the shared
// fold, which rise even when nothing changes in the own fold.
func withNumbersOf(own, shared *timeline.Fold) *timeline.Fold {
	f := *own
	f.Version, f.Text.CommentsVersion, f.Text.FreshAt = shared.Version, shared.Text.CommentsVersion, shared.Text.FreshAt
	return &f
}

// hasher hashes numbers one after another.
type hasher struct{ buf []byte }

func (m *hasher) add(ns ...uint64) {
	for _, n := range ns {
		m.buf = binary.LittleEndian.AppendUint64(m.buf, n)
	}
}

func (m *hasher) addBool(b bool) {
	if b {
		m.buf = append(m.buf, 1)
	} else {
		m.buf = append(m.buf, 0)
	}
}

func (m *hasher) sum() digest { return digestOf(m.buf) }

// tag returns a digest in the form that frames and pages have.
func tag(h digest) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:], h[0])
	binary.BigEndian.PutUint64(raw[8:], h[1])
	return base64.RawURLEncoding.EncodeToString(raw[:])
}
