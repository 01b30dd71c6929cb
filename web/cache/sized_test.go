package cache

import (
	"strings"
	"testing"
)

func TestSized(t *testing.T) {
	t.Parallel()
	c := NewSized(10, func(key, value string) int { return len(key) + len(value) })
	has := func(key, want string) {
		t.Helper()
		if got, ok := c.Get(key); got != want || ok != (want != "") {
			t.Errorf("%s: %q %v, want %q", key, got, ok, want)
		}
	}
	c.Put("a", "1234")
	c.Put("b", "1234")
	has("a", "1234") // so b is the least recently used
	c.Put("c", "1")
	has("b", "")
	has("a", "1234")
	has("c", "1")
	c.Put("a", "12")
	has("a", "12")
	if got := c.Bytes(); got != 5 {
		t.Errorf("%d bytes, want 5", got)
	}
	c.Put("huge", strings.Repeat("x", 10))
	has("huge", "")
	if got := c.Bytes(); got != 0 || len(c.held) != 0 || c.recent.Len() != 0 {
		t.Errorf("%d bytes and %d values are held", got, len(c.held))
	}
}
