package models

import (
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// made returns a made-up community. The first of its people have most followers and posts.
func made(people int) *Community {
	c := &Community{}
	for i := range people {
		c.People = append(c.People, Person{ID: timeline.UserID(i + 1), Public: i%5 != 4, Follows: 1, Followers: 100 / (i + 1), Posts: 60 / (i + 1)})
		c.Following = append(c.Following, [2]int{i, (i + 1) % people})
	}
	c.Active = active(c.People, order(1, c.People), 0.3)
	return c
}

func TestPlanOfALifeIsTheSameForTheSameSeed(t *testing.T) {
	t.Parallel()
	mix := Mix{Follow: 10, Unfollow: 10, Read: 50, Scroll: 10, Send: 20}
	one := planLife(7, made(50), mix, 100, 20)
	if diff := gocmp.Diff(one, planLife(7, made(50), mix, 100, 20), gocmp.AllowUnexported(act{})); diff != "" {
		t.Errorf("two plans of one seed differ: %s", diff)
	}
	if gocmp.Equal(one, planLife(8, made(50), mix, 100, 20), gocmp.AllowUnexported(act{})) {
		t.Error("plans of two seeds are the same")
	}
	if len(one) != 2000 || one[1000].due != 10*time.Second {
		t.Errorf("%d acts, the one in the middle due at %v", len(one), one[1000].due)
	}
	count := map[string]int{}
	c := made(50)
	for _, a := range one {
		count[a.do]++
		switch {
		case (a.do == doRead || a.do == doScroll) && !slices.Contains(c.Active, a.who):
			t.Fatalf("%d reads, and is not active", a.who)
		case a.do == doFollow && (a.who == a.whom || !c.People[a.whom].Public):
			t.Fatalf("%d follows %d", a.who, a.whom)
		}
	}
	for name, share := range map[string]int{doFollow: 10, doUnfollow: 10, doRead: 50, doScroll: 10, doSend: 20} {
		if n := count[name]; n < share*20*7/10 || n > share*20*13/10 {
			t.Errorf("%d of 2000 acts are %s, which has %d %%", n, name, share)
		}
	}
}

func TestReadersOfALossTakeTurns(t *testing.T) {
	t.Parallel()
	c := made(50)
	readers := c.Active[:10]
	read := map[int]int{}
	for _, a := range planLoss(3, c, readers, 20, 50, 10) {
		if a.do == doRead {
			read[a.who]++
			for _, other := range readers {
				if read[a.who]-read[other] > 1 {
					t.Fatalf("reader %d reads for time %d, reader %d for time %d", a.who, read[a.who], other, read[other])
				}
			}
		}
	}
	if len(read) != len(readers) {
		t.Errorf("%d of %d read", len(read), len(readers))
	}
}

func TestActivePeopleAreTheSameShareOfEachStep(t *testing.T) {
	t.Parallel()
	c := made(200)
	order := order(1, c.People)
	found := active(c.People, order, 0.3)
	if len(found) != 60 {
		t.Errorf("%d of 200 people are active", len(found))
	}
	public, of := 0, 0
	for _, i := range order {
		if !c.People[i].Public {
			continue
		}
		public++
		if slices.Contains(found, i) {
			of++
		}
		if public == 1 && of != 1 || of*10 < public*3 || of*10 > public*3+10 {
			t.Fatalf("%d of the first %d public people are active", of, public)
		}
	}
}

func TestStepsOfARamp(t *testing.T) {
	t.Parallel()
	if got, want := steps(4, 1024), []int{1, 4, 16, 64, 256, 1024}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := steps(2, 9), []int{1, 2, 4, 8}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := steps(4, 0); len(got) != 0 {
		t.Errorf("%v without a ramp", got)
	}
}

func TestMixPicksEachActByItsShare(t *testing.T) {
	t.Parallel()
	m := Mix{Follow: 1, Unfollow: 2, Read: 3, Scroll: 4, Send: 90}
	count := map[string]int{}
	for n := range 100 {
		count[m.pick(n)]++
	}
	if diff := gocmp.Diff(map[string]int{doFollow: 1, doUnfollow: 2, doRead: 3, doScroll: 4, doSend: 90}, count); diff != "" {
		t.Error(diff)
	}
	if !m.Whole() || (Mix{Read: 99}).Whole() {
		t.Error("whole mixes are not told from others")
	}
}

func TestMeanIsOfTheMiddleHalf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		of   []int64
		want float64
	}{
		{nil, 0},
		{[]int64{5}, 5},
		{[]int64{1, 4, 6, 1000}, 5},
		{[]int64{1000, 2, 3, 4, 5, 6, 7, 900}, 5.5},
	} {
		if got := mean(tt.of); got != tt.want {
			t.Errorf("mean of %v: %v, want %v", tt.of, got, tt.want)
		}
	}
}

func TestTicksSumUpActsByTheirEnd(t *testing.T) {
	t.Parallel()
	ms := time.Millisecond
	got := ticks([]done{{at: 10 * ms, took: 5 * ms}, {at: 240 * ms, took: 9 * ms}, {at: 700 * ms, took: 100 * ms}})
	want := []Tick{{At: 0, Rate: 8, P50: 5, Worst: 9}, {At: 0.25}, {At: 0.5, Rate: 4, P50: 100, Worst: 100}}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
