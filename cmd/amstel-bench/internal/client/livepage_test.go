package client

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	liveclient "amstel.dev/amstel/realtime/client"
)

func TestFollowedPage_Take(t *testing.T) {
	t.Parallel()
	d := &loadedPage{Page: Page{Path: "/page"}}
	d.shown.River.Epoch, d.shown.River.Counter = "e", 5
	d.shown.Entries = []Entry{{1, "a"}, {2, "b"}}
	p := newFollowedPage(d)
	at := func(seconds int) time.Time { return testTime.Add(time.Duration(seconds) * time.Second) }
	first := liveclient.Op{Post: 3, Tag: "c"}
	for i, tt := range []struct {
		frame liveclient.Frame
		again bool
		right int // when
	}{
		{liveclient.Frame{Type: "patch", Epoch: "e", From: 5, To: 6, Ops: []liveclient.Op{first}}, false, 0},
		{liveclient.Frame{Type: "patch", Epoch: "e", From: 5, To: 6, Ops: []liveclient.Op{first}}, false, 0}, // again
		{liveclient.Frame{Type: "beat", Counter: 7}, true, 0},
		{liveclient.Frame{Type: "patch", Epoch: "e", From: 6, To: 7, Ops: []liveclient.Op{{Post: 1, Gone: true}}}, false, 3},
	} {
		if again := p.applyFrame(&tt.frame, at(i)); again != tt.again || !p.right.Equal(at(tt.right)) {
			t.Errorf("frame %d: again %v, right since %v; want %v, %v", i, again, p.right, tt.again, at(tt.right))
		}
	}
	if diff := cmp.Diff([]Entry{{3, "c"}, {2, "b"}}, p.shown()); diff != "" || p.again != 1 || p.twice != 1 || p.wrong != "" {
		t.Errorf("%d times again, %d times twice, wrong %q: %s", p.again, p.twice, p.wrong, diff)
	}
	p.applyFrame(&liveclient.Frame{Type: "reset", Epoch: "e", Counter: 8, Entries: []liveclient.Shown{{Post: 2}, {Post: 2}}}, at(4))
	if p.wrong == "" {
		t.Error("a post that is there twice is not noted")
	}
}
