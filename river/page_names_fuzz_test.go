package river

import (
	"crypto/sha256"
	"regexp"
	"slices"
	"testing"

	"amstel.dev/amstel/timeline"
)

// uuidForm is the form of a river's name.
var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// FuzzNames: two rivers have the same name only if they are the same river for the same session.
// Any node with the site's secret can read a name, except the name of a river with a query. A
// made-up name is not accepted, however similar to a real one.
func FuzzNames(f *testing.F) {
	f.Add(int64(1), "home", int64(1), "", "s", int64(1), "home", int64(1), "", "t", "01234567-89ab-8def-8123-456789abcdef")
	f.Add(int64(1), "day", int64(12), "2024", "", int64(1), "day", int64(1), "22024", "", "")
	f.Add(int64(1), "search", int64(0), "1 2:x", "1:", int64(11), "search", int64(0), "2:x", "1:1", "x")
	f.Add(int64(0), "user", int64(7), "", "", int64(2), "user", int64(7), "", "2", "01234567-89ab-8def-8123-456789ABCDEF")
	f.Add(int64(3), "post", int64(1)<<62-1, "", "3", int64(3), "post", int64(1)<<62, "", "3", "0123456789ab8def8123456789abcdef")
	for i, kind := range numbered {
		f.Add(int64(3), string(kind), int64(3), "", "3", int64(3), string(numbered[(i+1)%len(numbered)]), int64(3), "", "3", "")
	}
	f.Fuzz(func(t *testing.T, viewer int64, what string, their int64, query, session string, otherViewer int64, otherWhat string, otherTheir int64, otherQuery, otherSession string, forged string) {
		n, same, other := &Node{secret: []byte("secret")}, &Node{secret: []byte("secret")}, &Node{secret: []byte("another")}
		a := Key{timeline.UserID(viewer), Kind(what), their, query}
		b := Key{timeline.UserID(otherViewer), Kind(otherWhat), otherTheir, otherQuery}
		credential, otherCredential := credentialOf(session), credentialOf(otherSession)
		if !a.valid() || (viewer == 0) != (session == "") || (session == otherSession) != (viewer == otherViewer) {
			return // a session has one viewer
		}
		name := n.Name(a, credential)
		if !uuidForm.MatchString(name) || n.Name(a, credential) != name {
			t.Fatalf("%+v is %q", a, name)
		}
		for _, node := range []*Node{n, same} {
			knows := node == n || query == "" && their >= 0 && their < mostTheirs
			if key, known := node.Named(name, a.Viewer, credential); known != knows || known && key != a {
				t.Fatalf("%q is %+v, %v", name, key, known)
			}
			if holder, known := node.Holder(name); knows && (!known || holder != holderOf(credential)) {
				t.Fatalf("%q is held by %x, %v", name, holder, known)
			}
		}
		if key, known := n.Named(forged, a.Viewer, credential); known && n.Name(key, credential) != forged {
			t.Fatalf("%q, which no river has, is taken for %+v", forged, key)
		}
		if _, known := n.Named(name, b.Viewer, otherCredential); known && session != otherSession {
			t.Fatalf("%q is taken for a name of another session", name)
		}
		if _, known := other.Named(name, a.Viewer, credential); known || other.Name(a, credential) == name {
			t.Fatalf("%q is known without the secret", name)
		}
		if alike := a == b && session == otherSession; (n.Name(b, otherCredential) == name) != alike {
			t.Errorf("%+v with %q and %+v with %q are %q", a, session, b, otherSession, name)
		}
	})
}

// credentialOf returns the hash of a session's secret; nil for the empty secret of a visitor.
func credentialOf(secret string) []byte {
	if secret == "" {
		return nil
	}
	hash := sha256.Sum256([]byte(secret))
	return hash[:]
}

// TestNumbersOfKinds: each kind of river without a query has a number in names, and existing
// numbers never change.
func TestNumbersOfKinds(t *testing.T) {
	t.Parallel()
	for kind, k := range kinds {
		if (k.search && !k.images || k.days) == slices.Contains(numbered, kind) {
			t.Errorf("%s has a number: %v", kind, slices.Contains(numbered, kind))
		}
	}
	node := &Node{secret: []byte("secret")}
	if got, want := node.Name(Key{What: numbered[len(numbered)-1], TheirID: 7}, credentialOf("s")), "57a29c29-aab3-8197-bb3a-6b51a141f3ef"; got != want {
		t.Errorf("the last kind is named %s, want %s", got, want)
	}
}

// FuzzKeys: each valid key has a descriptor. A valid key of days has bounds in their order.
func FuzzKeys(f *testing.F) {
	for kind := range kinds {
		f.Add(int64(0), string(kind), int64(1), "")
		f.Add(int64(7), string(kind), int64(7), "2024-05")
	}
	f.Add(int64(-1), "home", int64(-1), "")
	f.Add(int64(0), "day", int64(1), "9999-12-31")
	f.Add(int64(0), "day", int64(1), "2024-5")
	f.Fuzz(func(t *testing.T, viewer int64, what string, their int64, query string) {
		key := Key{timeline.UserID(viewer), Kind(what), their, query}
		if !key.valid() {
			return
		}
		if key.Descriptor() == "" || viewer < 0 {
			t.Errorf("%+v is %q", key, key.Descriptor())
		}
		if from, until, ok := days(query); kinds[key.What].days && (!ok || from < 0 || from >= until) {
			t.Errorf("%+v is from %d until %d", key, from, until)
		}
	})
}
