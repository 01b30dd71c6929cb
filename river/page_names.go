package river

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"amstel.dev/amstel/timeline"
)

// A river's name on the wire is an enciphered UUID that identifies the river and a session or
// token. So each node can read the names that any node gave out, even after a restart, and
// stores none of them. Rivers with a query are the exception: a query does not fit into a UUID,
// so a node remembers the names of these rivers.

// A Holder is the beginning of the hash of a session or a token: the part of it that a name
// has room for. The zero Holder stands for all visitors without a session.
type Holder [6]byte

// holderOf returns the Holder of a session or token, given its hash; nil for viewer 0.
func holderOf(credential []byte) (h Holder) {
	copy(h[:], credential)
	return h
}

// names holds the names that a node gave to rivers with a query, in two generations. When the
// newer generation is full, it replaces the older one, so that memory is bounded and names in
// use stay known.
type names struct {
	mu       sync.Mutex
	now, old map[string]name
}

// A name is the content of a UUID: a river, and the session or token for which the river has the
// name. The key's viewer is known only if the node remembers the name.
type name struct {
	key    Key
	holder Holder
}

// mostNames is the size of a generation.
const mostNames = 50_000

// numbered are the kinds of river by their numbers in names. A number is never used again
// for another kind, because pages keep names for long.
var numbered = []Kind{
	KindHome, KindUser, KindComments, KindLikes, KindGroup, KindDirects, KindFavs, KindPost, KindEverything, KindPrivate, KindFYEO,
	KindPhotos, KindGroupPhotos, KindDiscussions, KindMentions, KindList, KindHashtag, KindBestOf, KindMostFaved,
}

// mostTheirs is above every TheirID that fits into a name.
const mostTheirs = 1 << 62

// Name returns a river's UUID on the wire, for one session or token of its viewer.
// Credential is the hash of the session's or token's secret; nil for viewer 0. The name
// can't be guessed. It is the same on every node and with a new river DB, but a new
// session gives the river a new name.
func (n *Node) Name(key Key, credential []byte) string {
	what := slices.Index(numbered, key.What)
	if what < 0 || key.Query != "" || key.TheirID < 0 || key.TheirID >= mostTheirs {
		return n.remember(key, credential)
	}
	holder := holderOf(credential)
	var b [16]byte
	copy(b[:], holder[:])
	b[7] = byte(what)
	binary.BigEndian.PutUint64(b[8:], uint64(key.TheirID))
	mark(&b)
	// The cipher permutes all blocks of 16 bytes, of which one in 64 is a UUID of the version.
	// Enciphering the result again until it is such a UUID permutes these UUIDs among
	// themselves, in about 64 steps. This is cycle walking: John Black and Phillip Rogaway,
	// "Ciphers with arbitrary finite domains", CT-RSA 2002.
	for block := n.cipher(); ; {
		if block.Encrypt(b[:], b[:]); marked(&b) {
			return uuidOf(b)
		}
	}
}

// decipher returns the content of a name that [Node.Name] enciphered, on this or on another
// node. A made-up UUID has no content, or names a missing session.
func (n *Node) decipher(uuid string) (name, bool) {
	b, ok := parseUUID(uuid)
	if !ok {
		return name{}, false
	}
	for block := n.cipher(); ; {
		if block.Decrypt(b[:], b[:]); marked(&b) {
			break
		}
	}
	what := int(b[7])
	if b[6] != version || what >= len(numbered) {
		return name{}, false
	}
	their := int64(binary.BigEndian.Uint64(b[8:]) &^ (1 << 63))
	return name{Key{What: numbered[what], TheirID: their}, Holder(b[:6])}, true
}

// cipher returns the cipher of names. Its key belongs to the site, so the cipher is the same on
// every node.
func (n *Node) cipher() cipher.Block {
	mac := hmac.New(sha256.New, n.secret)
	mac.Write([]byte("names of rivers"))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		panic("river: " + err.Error()) // the key has the right length
	}
	return block
}

// version is the version of the UUIDs, 8: a vendor-specific format (RFC 9562).
const version = 0x80

// mark turns 16 bytes into a UUID by setting the version and variant bits.
func mark(b *[16]byte) {
	b[6] = b[6]&0x0f | version
	b[8] = b[8]&0x3f | 0x80
}

// marked reports whether the bytes are those of a UUID of the version.
func marked(b *[16]byte) bool { return b[6]&0xf0 == version && b[8]&0xc0 == 0x80 }

func uuidOf(b [16]byte) string {
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// parseUUID returns the bytes of a UUID of the version in the form of [uuidOf].
func parseUUID(uuid string) (b [16]byte, ok bool) {
	if len(uuid) != 36 {
		return b, false
	}
	digits := uuid[:8] + uuid[9:13] + uuid[14:18] + uuid[19:23] + uuid[24:]
	if _, err := hex.Decode(b[:], []byte(digits)); err != nil {
		return b, false
	}
	return b, marked(&b) && uuidOf(b) == uuid
}

// remember returns a name that the node keeps, because no UUID has room for the key.
func (n *Node) remember(key Key, credential []byte) string {
	mac := hmac.New(sha256.New, n.secret)
	// The lengths make the input unambiguous.
	fmt.Fprintf(mac, "%d:%x %d %d:%s %d %d:%s", len(credential), credential, key.Viewer, len(key.What), key.What, key.TheirID, len(key.Query), key.Query)
	b := [16]byte(mac.Sum(nil))
	mark(&b)
	uuid := uuidOf(b)
	n.names.mu.Lock()
	defer n.names.mu.Unlock()
	if len(n.names.now) >= mostNames {
		n.names.now, n.names.old = nil, n.names.now
	}
	put(&n.names.now, uuid, name{key, holderOf(credential)})
	return uuid
}

// remembered returns the content of a name that [Node.remember] kept.
func (n *Node) remembered(uuid string) (name, bool) {
	n.names.mu.Lock()
	defer n.names.mu.Unlock()
	known, ok := n.names.now[uuid]
	if !ok {
		known, ok = n.names.old[uuid]
	}
	return known, ok
}

// Holder returns for which session or token a river has a name. Ok is false if no river of the
// site has the name, or if the river has a query and this node did not give out the name.
func (n *Node) Holder(uuid string) (holder Holder, ok bool) {
	known, ok := n.remembered(uuid)
	if !ok {
		known, ok = n.decipher(uuid)
	}
	return known.holder, ok
}

// Named returns the river that has a name for a session or token of the viewer, as far as
// [Node.Holder] knows.
func (n *Node) Named(uuid string, viewer timeline.UserID, credential []byte) (Key, bool) {
	if known, ok := n.remembered(uuid); ok {
		return known.key, known.holder == holderOf(credential) && known.key.Viewer == viewer
	}
	known, ok := n.decipher(uuid)
	if !ok || known.holder != holderOf(credential) {
		return Key{}, false
	}
	known.key.Viewer = viewer
	return known.key, known.key.valid()
}
