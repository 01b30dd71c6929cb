package river

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// names holds the UUIDs that a node gave out, in two generations. When the newer
// generation is full it replaces the older one, so that memory is bounded and names
// in use stay known.
type names struct {
	mu       sync.Mutex
	now, old map[string]Key
}

// mostNames is the size of a generation.
const mostNames = 50_000

// Name returns a river's UUID on the wire, for one session or token of its viewer.
// Credential is the hash of the session's or token's secret; nil for viewer 0. The name
// can't be guessed. It is the same on every node and with a new river DB, but a new
// session gives the river a new name.
func (n *Node) Name(key Key, credential []byte) string {
	mac := hmac.New(sha256.New, n.secret)
	// The lengths make the input unambiguous.
	fmt.Fprintf(mac, "%d:%x %d %d:%s %d %d:%s", len(credential), credential, key.Viewer, len(key.What), key.What, key.TheirID, len(key.Query), key.Query)
	b := mac.Sum(nil)[:16]
	b[6] = b[6]&0x0f | 0x80 // version 8: a vendor-specific format (RFC 9562)
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

// Named returns the river of a UUID that this node gave out. The caller must test
// that the client may use it: the key has the viewer.
func (n *Node) Named(uuid string) (Key, bool) {
	n.names.mu.Lock()
	defer n.names.mu.Unlock()
	key, ok := n.names.now[uuid]
	if !ok {
		key, ok = n.names.old[uuid]
	}
	return key, ok
}
