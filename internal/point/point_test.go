package point_test

import (
	"testing"

	"amstel.dev/amstel/internal/point"
)

func TestReached(t *testing.T) {
	point.Reached("nobody listens")
	var hit []string
	point.On(func(name string) { hit = append(hit, name) })
	point.Reached("one")
	point.On(nil)
	point.Reached("two")
	if len(hit) != 1 || hit[0] != "one" {
		t.Errorf("%q were heard of, want one", hit)
	}
}
