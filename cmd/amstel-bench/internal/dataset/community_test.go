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

func TestFollowersFallOffByZipfsLaw(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if _, err := ByZipf(1000, 3000).Write(&out); err != nil {
		t.Fatal(err)
	}
	followers := func(i int) int { return bytes.Count(out.Bytes(), []byte(`"target":"`+personName(i)+`"`)) }
	posts := func(i int) int {
		return bytes.Count(out.Bytes(), []byte(`"author":"`+personName(i)+`","to"`))
	}
	for name, of := range map[string]func(int) int{"followers": followers, "posts": posts} {
		first, tenth, hundreds := of(0), 0, 0
		for i := range 10 {
			tenth += of(5 + i)
			hundreds += of(100+10*i) + of(105+10*i)
		}
		if first < tenth/10*4 || tenth < hundreds/2*4 {
			t.Errorf("the first has %d %s, the tenth about %d, the hundredths about %d", first, name, tenth/10, hundreds/20)
		}
	}
}
