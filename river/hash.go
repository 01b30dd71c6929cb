package river

import (
	"encoding/binary"
	"encoding/json"
	"strconv"

	"github.com/zeebo/xxh3"
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
