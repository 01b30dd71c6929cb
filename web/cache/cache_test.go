package cache

import "testing"

func TestCache(t *testing.T) {
	t.Parallel()
	b := New[int, string](10)
	for i := range 100 {
		b.Put(i, "x")
	}
	if len(b.held) != 10 {
		t.Errorf("%d are held", len(b.held))
	}
	if _, held := b.Get(99); !held {
		t.Error("the last one is not held")
	}
	b.Put(99, "y")
	if v, _ := b.Get(99); v != "y" || len(b.held) != 10 {
		t.Errorf("%q, and %d are held", v, len(b.held))
	}
	b.Drop(99)
	b.DropIf(func(v string) bool { return v == "x" })
	if len(b.held) != 0 {
		t.Errorf("%d are held", len(b.held))
	}
}
