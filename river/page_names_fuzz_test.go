package river

import (
	"regexp"
	"testing"

	"amstel.dev/amstel/timeline"
)

// uuidForm is what the name of a river looks like.
var uuidForm = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// FuzzNames holds that two rivers have the same name only if they are the same river for the
// same session, and that a name which was not given out names no river, however similar it is
// to a real one.
func FuzzNames(f *testing.F) {
	f.Add(int64(1), "home", int64(1), "", []byte("s"), int64(1), "home", int64(1), "", []byte("t"), "01234567-89ab-8def-8123-456789abcdef")
	f.Add(int64(1), "day", int64(12), "2024", []byte(nil), int64(1), "day", int64(1), "22024", []byte{}, "")
	f.Add(int64(1), "search", int64(0), "1 2:x", []byte("1:"), int64(11), "search", int64(0), "2:x", []byte("1:1"), "x")
	f.Add(int64(0), "a", int64(0), "b 0 1:c", []byte{0}, int64(0), "a 0 1:b", int64(0), "c", []byte{0}, "\x00")
	f.Fuzz(func(t *testing.T, viewer int64, what string, their int64, query string, credential []byte, otherViewer int64, otherWhat string, otherTheir int64, otherQuery string, otherCredential []byte, forged string) {
		n, other := &Node{secret: []byte("secret")}, &Node{secret: []byte("another")}
		a := Key{timeline.UserID(viewer), Kind(what), their, query}
		b := Key{timeline.UserID(otherViewer), Kind(otherWhat), otherTheir, otherQuery}
		name := n.Name(a, credential)
		if !uuidForm.MatchString(name) || n.Name(a, credential) != name {
			t.Fatalf("%+v is %q", a, name)
		}
		if key, known := n.Named(name); !known || key != a {
			t.Fatalf("%q is %+v, %v", name, key, known)
		}
		if key, known := n.Named(forged); known && forged != name {
			t.Fatalf("%q, which no river has, is taken for %+v", forged, key)
		}
		if _, known := other.Named(name); known || other.Name(a, credential) == name {
			t.Fatalf("%q is known without the secret", name)
		}
		if same := a == b && string(credential) == string(otherCredential); (n.Name(b, otherCredential) == name) != same {
			t.Errorf("%+v with %q and %+v with %q are %q", a, credential, b, otherCredential, name)
		}
	})
}

// FuzzKeys: each valid key has a descriptor, and if it is one of days, bounds in their
// order.
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
