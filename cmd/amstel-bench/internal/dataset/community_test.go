package dataset

import (
	"bytes"
	"testing"
)

func TestLargeCommunityHasPeopleWithManySubscriptions(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := Large(20_000)
	if _, err := c.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{personName(0), personName(19)} {
		if n := bytes.Count(out.Bytes(), []byte(`"user":"`+name+`","target"`)); n != c.Following {
			t.Errorf("%s follows %d, want %d", name, n, c.Following)
		}
	}
}
