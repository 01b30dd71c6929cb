package river

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"

	"amstel.dev/amstel/timeline"
)

// A digest is the first half of a SHA-512/256 hash, which takes less time than SHA-256
// where the processor has no instructions for either. Digests alone decide whether
// anything changed that a viewer is shown, and the authors of posts choose what is
// hashed: two texts with the same digest must be too hard to find, or an edit from one
// to the other would not be shown.
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

// foldHash returns a hash of what a fold shows. It leaves out the numbers that rise
// whenever anything happens to the post, whoever may know of that.
func foldHash(f *timeline.Fold) digest {
	bare := *f
	bare.Version, bare.Text.CommentsVersion, bare.Text.FreshAt = 0, 0, 0
	return hashOf(&bare)
}

// numbered returns a viewer's own fold with the numbers of the one that others share,
// which rise also where the own fold shows nothing changed.
func withNumbersOf(own, shared *timeline.Fold) *timeline.Fold {
	f := *own
	f.Version, f.Text.CommentsVersion, f.Text.FreshAt = shared.Version, shared.Text.CommentsVersion, shared.Text.FreshAt
	return &f
}

// mixer hashes numbers one after another.
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

// tag returns a digest as it stands on the wire.
func tag(h digest) string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:], h[0])
	binary.BigEndian.PutUint64(raw[8:], h[1])
	return base64.RawURLEncoding.EncodeToString(raw[:])
}
