package cache

import (
	"errors"
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
		want("beside it", key, value, first, true) // replacing a value evicts no other
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

// A load that began before a drop has read an outdated value.
func TestLoadBegunBeforeADropIsNotKept(t *testing.T) {
	t.Parallel()
	at := time.Unix(1, 0)
	for name, drop := range map[string]func(*Cache[int, string]){
		"Drop":                func(c *Cache[int, string]) { c.Drop(1) },
		"DropIf":              func(c *Cache[int, string]) { c.DropIf(func(string) bool { return false }) },
		"Drop, then new load": func(c *Cache[int, string]) { c.Drop(1); loadValue(c, 1, at, "new") },
	} {
		c := New[int, string](3)
		c.Put(1, "held", at)
		value, err := c.Load(1, at, func() (string, error) {
			drop(c)
			return "old", nil
		})
		if value != "old" || err != nil {
			t.Errorf("%s: the load returned %q, %v", name, value, err)
		}
		if got, _, _ := c.Get(1); got == "old" {
			t.Errorf("%s: the value from before the drop was kept", name)
		}
		loadValue(c, 1, at, "later")
		if got, _, _ := c.Get(1); got != "later" {
			t.Errorf("%s: a load after the drop left %q", name, got)
		}
		if len(c.loads) != 0 {
			t.Errorf("%s: %d loads are still registered", name, len(c.loads))
		}
	}
}

func loadValue(c *Cache[int, string], key int, at time.Time, value string) {
	_, _ = c.Load(key, at, func() (string, error) { return value, nil })
}

func TestLoad(t *testing.T) {
	t.Parallel()
	c := New[int, string](3)
	at := time.Unix(1, 0)
	loadValue(c, 1, at, "one")
	if got, since, ok := c.Get(1); got != "one" || !since.Equal(at) || !ok {
		t.Errorf("after a load: %q %v %v", got, since, ok)
	}
	if got, err := c.Load(1, at, func() (string, error) { return "bad", errors.New("away") }); got != "bad" || err == nil {
		t.Errorf("a load that fails returned %q, %v", got, err)
	}
	if got, _, _ := c.Get(1); got != "one" {
		t.Errorf("a load that fails left %q", got)
	}
	_, _ = c.Load(1, at, func() (string, error) {
		c.Drop(2) // of another key
		loadValue(c, 1, at, "inner")
		return "outer", nil
	})
	if got, _, _ := c.Get(1); got != "outer" || len(c.loads) != 0 {
		t.Errorf("after two loads at once: %q, %d registered", got, len(c.loads))
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = c.Load(1, at, func() (string, error) { panic("fault") })
	}()
	if got, _, _ := c.Get(1); got != "outer" || len(c.loads) != 0 {
		t.Errorf("after a panic: %q, %d registered", got, len(c.loads))
	}
}
