package river

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// names are the uuids that a node gave out, newest generation first, so that
// memory is bounded and what is in use stays.
type names struct {
	mu       sync.Mutex
	now, old map[string]Key
}

// mostNames is how many a generation has.
const mostNames = 50_000

// Name is a river's uuid on the wire, as its viewer knows it under a session
// or token (the hash of its secret; nil for anonymous readers): unguessable, the
// same on every node and after a lost river DB, another after signing in again.
func (n *Node) Name(key Key, credential []byte) string {
	mac := hmac.New(sha256.New, n.secret)
	// The lengths make it unambiguous.
	fmt.Fprintf(mac, "%d:%x %d %d:%s %d %d:%s", len(credential), credential, key.Viewer, len(key.What), key.What, key.TheirID, len(key.Query), key.Query)
	b := mac.Sum(nil)[:16]
	b[6] = b[6]&0x0f | 0x80 // version 8: made in a way of our own (RFC 9562)
	b[8] = b[8]&0x3f | 0x80
	h := hex.EncodeToString(b)
	uuid := h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
	n.names.mu.Lock()
	defer n.names.mu.Unlock()
	if len(n.names.now) >= mostNames {
		n.names.now, n.names.old = nil, n.names.now
	}
	put(&n.names.now, uuid, key)
	return uuid
}

// Named answers the river of a uuid that this node gave out. Whose it is must
// be tested by whoever asks: its viewer is in the key.
func (n *Node) Named(uuid string) (Key, bool) {
	n.names.mu.Lock()
	defer n.names.mu.Unlock()
	key, ok := n.names.now[uuid]
	if !ok {
		key, ok = n.names.old[uuid]
	}
	return key, ok
}
