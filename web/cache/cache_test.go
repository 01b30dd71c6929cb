package cache

import (
	"testing"
	"time"
)

func TestCache(t *testing.T) {
	t.Parallel()
	c := New[int, string](3)
	first, later := time.Unix(1, 0), time.Unix(2, 0)
	want := func(when string, key int, value string, at time.Time, held bool) {
		t.Helper()
		if v, since, ok := c.Get(key); v != value || !since.Equal(at) || ok != held {
			t.Errorf("%s: %q %v %v, want %q %v %v", when, v, since, ok, value, at, held)
		}
	}
	want("at first", 1, "", time.Time{}, false)
	c.Put(1, "one", first)
	c.Put(2, "two", first)
	c.Put(3, "three", first)
	want("once put", 1, "one", first, true)
	c.Put(1, "eins", later)
	want("once put again", 1, "eins", later, true)
	for key, value := range map[int]string{2: "two", 3: "three"} {
		want("beside it", key, value, first, true) // what takes its own place takes no other's
	}
	c.Drop(2)
	want("once dropped", 2, "", time.Time{}, false)
	c.DropIf(func(v string) bool { return v == "eins" })
	want("once picked", 1, "", time.Time{}, false)
	want("once another was picked", 3, "three", first, true)
	for key := range 100 {
		c.Put(key, "many", later)
		want("the newest", key, "many", later, true)
	}
	if len(c.held) != 3 {
		t.Errorf("%d values are held, want 3", len(c.held))
	}
}
