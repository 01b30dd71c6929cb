package client

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// shows is a page that stands at counter 5 of an epoch and shows three posts.
func shows() *livePage {
	return &livePage{epoch: "e", counter: 5, shown: []Entry{{1, "a"}, {2, "b"}, {3, "c"}}}
}

func op(post timeline.PostID, tag string, after timeline.PostID) liveOp {
	o := liveOp{Post: post, Tag: tag}
	if after != 0 {
		o.After = &after
	}
	return o
}

func patch(from, to int64, ops ...liveOp) *liveFrame {
	return &liveFrame{Type: "patch", Epoch: "e", From: from, To: to, Ops: ops}
}

func TestLivePageDoesWhatFramesSay(t *testing.T) {
	t.Parallel()
	reset := &liveFrame{Type: "reset", Epoch: "f", Counter: 9}
	reset.Entries = append(reset.Entries, struct {
		Post timeline.PostID `json:"post"`
		Tag  string          `json:"tag"`
	}{7, "x"})
	other := patch(5, 6)
	other.Epoch = "f"
	all := []Entry{{1, "a"}, {2, "b"}, {3, "c"}}
	for _, tt := range []struct {
		name    string
		frame   *liveFrame
		want    []Entry
		counter int64
		again   bool
	}{
		{"a new one on top", patch(5, 6, op(4, "d", 0)), []Entry{{4, "d"}, {1, "a"}, {2, "b"}, {3, "c"}}, 6, false},
		{"one in between", patch(4, 6, op(4, "d", 2)), []Entry{{1, "a"}, {2, "b"}, {4, "d"}, {3, "c"}}, 6, false},
		{"one that moves, and one below it", patch(5, 8, op(3, "z", 0), op(1, "y", 3)), []Entry{{3, "z"}, {1, "y"}, {2, "b"}}, 8, false},
		{"one that goes", patch(5, 6, liveOp{Post: 2, Gone: true}), []Entry{{1, "a"}, {3, "c"}}, 6, false},
		{"nothing new", patch(3, 5, op(4, "d", 0)), all, 5, false},
		{"a gap", patch(6, 7, op(4, "d", 0)), all, 5, true},
		{"another epoch", other, all, 5, true},
		{"below one that is not there", patch(5, 6, liveOp{Post: 1, Gone: true}, op(4, "d", 9)), all, 5, true},
		{"all anew", reset, []Entry{{7, "x"}}, 9, false},
		{"a beat", &liveFrame{Type: "beat", Counter: 5}, all, 5, false},
		{"a beat that tells of more", &liveFrame{Type: "beat", Counter: 6}, all, 5, true},
		{"something else", &liveFrame{Type: "unread"}, all, 5, false},
	} {
		p := shows()
		if again := p.take(tt.frame, testTime); again != tt.again {
			t.Errorf("%s: subscribes again %v, want %v", tt.name, again, tt.again)
		}
		if diff := cmp.Diff(tt.want, p.shown); diff != "" || p.counter != tt.counter || p.wrong != "" {
			t.Errorf("%s: at %d, %s%s", tt.name, p.counter, p.wrong, diff)
		}
	}
}

func TestLivePageSubscribes(t *testing.T) {
	t.Parallel()
	p, d := shows(), &loadedPage{}
	p.sub(d)
	if p.take(patch(5, 6, op(4, "d", 0)), testTime) || p.counter != 5 {
		t.Error("it takes what was sent before its hello")
	}
	p.take(&liveFrame{Type: "hello", Epoch: "f", Counter: 0}, testTime)
	if p.take(&liveFrame{Type: "patch", Epoch: "f", From: 0, To: 3, Ops: []liveOp{op(4, "d", 9)}}, testTime); !p.blind {
		t.Error("it could not do what it was told after a hello, and says again what it shows")
	}
	if p.sub(d); len(p.shown) != 0 || p.epoch != "" || p.counter != 0 {
		t.Errorf("it says that it shows %v", p.shown)
	}
}
