package client

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// three returns a page at counter 5 of an epoch, with three posts.
func three() *Page {
	p := NewPage("river", "/page")
	p.Epoch, p.Counter = "e", 5
	for i, tag := range []string{"a", "b", "c"} {
		post := int64(i + 1)
		p.Order = append(p.Order, post)
		p.Entries[post] = Shown{Post: post, Tag: tag}
	}
	return p
}

// shows returns the posts and tags of a page, from the top down.
func shows(p *Page) (all []Shown) {
	for _, post := range p.Order {
		all = append(all, Shown{Post: post, Tag: p.Entries[post].Tag})
	}
	return all
}

func put(post int64, tag string, after int64) Op {
	o := Op{Post: post, Tag: tag}
	if after != 0 {
		o.After = &after
	}
	return o
}

func patch(from, to int64, ops ...Op) *Frame {
	return &Frame{Type: "patch", Epoch: "e", From: from, To: to, Position: 70, Ops: ops}
}

func TestPage_Apply(t *testing.T) {
	t.Parallel()
	reset := &Frame{Type: "reset", Epoch: "f", Counter: 9, Position: 70, Entries: []Shown{{Post: 7, Tag: "x"}}}
	other := patch(5, 6)
	other.Epoch = "f"
	all := shows(three())
	for _, tt := range []struct {
		name    string
		frame   *Frame
		want    []Shown
		counter int64
		verdict Verdict
	}{
		{"a new entry on top", patch(5, 6, put(4, "d", 0)), []Shown{{Post: 4, Tag: "d"}, all[0], all[1], all[2]}, 6, Applied},
		{"an entry in between", patch(4, 6, put(4, "d", 2)), []Shown{all[0], all[1], {Post: 4, Tag: "d"}, all[2]}, 6, Applied},
		{"an entry that moves, and one below it", patch(5, 8, put(3, "z", 0), put(1, "y", 3)), []Shown{{Post: 3, Tag: "z"}, {Post: 1, Tag: "y"}, all[1]}, 8, Applied},
		{"an entry that goes", patch(5, 6, Op{Post: 2, Gone: true}), []Shown{all[0], all[2]}, 6, Applied},
		{"nothing new", patch(3, 5, put(4, "d", 0)), all, 5, Ignored},
		{"a gap", patch(6, 7, put(4, "d", 0)), all, 5, Resub},
		{"another epoch", other, all, 5, Resub},
		{"below an entry that is not there", patch(5, 6, Op{Post: 1, Gone: true}, put(4, "d", 9)), all, 5, Resub},
		{"a reset", reset, []Shown{{Post: 7, Tag: "x"}}, 9, Applied},
		{"a beat", &Frame{Type: "beat", Counter: 5}, all, 5, Ignored},
		{"a beat above the page", &Frame{Type: "beat", Counter: 6}, all, 5, Resub},
		{"a hello without a sub", &Frame{Type: "hello", Epoch: "f", Counter: 9}, all, 5, Ignored},
		{"notices", &Frame{Type: "unread", Count: 3}, all, 5, Ignored},
	} {
		p := three()
		verdict, err := p.Apply(tt.frame)
		if err != nil || verdict != tt.verdict {
			t.Errorf("%s: verdict %d, %v, want %d", tt.name, verdict, err, tt.verdict)
		}
		if diff := cmp.Diff(tt.want, shows(p)); diff != "" || p.Counter != tt.counter {
			t.Errorf("%s: at %d, want %d: %s", tt.name, p.Counter, tt.counter, diff)
		}
		if want := map[bool]int64{true: 70}[verdict == Applied]; p.Position != want {
			t.Errorf("%s: the page has seen position %d, want %d", tt.name, p.Position, want)
		}
	}
	if _, err := three().Apply(&Frame{Type: "greeting"}); err == nil {
		t.Error("an unknown frame is taken")
	}
}

// TestPageNotesEntriesThatComeBackUnchanged: an entry leaves the end of a page. It may come back
// unchanged to the end of the page, even if an entry of the page sinks below it, which the patch shows by
// moving either that entry or the entries that it sinks below. It is a fault if the entry comes back unchanged
// above an entry that stayed.
func TestPageNotesEntriesThatComeBackUnchanged(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		back   *Frame
		faults int
	}{
		{"at the end", patch(6, 7, put(3, "c", 2)), 0},
		{"above an entry that sinks", patch(6, 7, put(3, "c", 1), put(2, "sunk", 3)), 0},
		{"above an entry that an unchanged one passes", patch(6, 7, put(2, "b", 0), put(3, "c", 2)), 0},
		{"above an entry that a changed one passes", patch(6, 7, Op{Post: 2, Tag: "risen", Entry: &Shown{Version: 1}}, put(3, "c", 2)), 1},
		{"above an entry that stays", patch(6, 7, put(3, "c", 1)), 1},
	} {
		p := three()
		if verdict, err := p.Apply(patch(5, 6, Op{Post: 3, Gone: true})); verdict != Applied || err != nil {
			t.Fatal(verdict, err)
		}
		if verdict, err := p.Apply(tt.back); verdict != Applied || err != nil {
			t.Fatal(verdict, err)
		}
		if len(p.Faults) != tt.faults {
			t.Errorf("%s: faults %v, want %d", tt.name, p.Faults, tt.faults)
		}
	}
}

// TestAnswerBeforeTheHelloOfAnotherNode: an answer comes between the sub and the hello of a node that has not followed the write yet. The
// older state that the node sends is no fault, because the page subscribes once more; a node that sends it again has one.
func TestAnswerBeforeTheHelloOfAnotherNode(t *testing.T) {
	t.Parallel()
	p := three()
	state := func(epoch string, version int, position int64) *Frame {
		o := put(1, "v", 0)
		o.Entry = &Shown{Version: version}
		return &Frame{Type: "patch", Epoch: epoch, From: 0, To: 9, Position: position, Ops: []Op{o}}
	}
	take := func(f *Frame, want Verdict) {
		t.Helper()
		if verdict, err := p.Apply(f); err != nil || verdict != want {
			t.Fatalf("%s at %d: verdict %d, %v; want %d", f.Type, f.Position, verdict, err, want)
		}
	}
	p.Sub()
	p.Position = 201
	p.Answer("e", 7, Shown{Post: 1, Tag: "w", Version: 14})
	take(&Frame{Type: "hello", Epoch: "other"}, Applied)
	take(state("other", 13, 199), Resub)
	if len(p.Faults) != 0 {
		t.Errorf("the state from before the write is a fault: %v", p.Faults)
	}
	p.Sub()
	take(&Frame{Type: "hello", Epoch: "third"}, Applied)
	take(state("third", 13, 201), Applied)
	if len(p.Faults) != 1 || p.Faults[0].Newest != 14 || p.Faults[0].Version != 13 {
		t.Errorf("the faults are %v, want the entry that went back from 14 to 13", p.Faults)
	}
}

func TestPage_Sub(t *testing.T) {
	t.Parallel()
	said := func(p *Page) map[string]any {
		t.Helper()
		var sub map[string]any
		if err := json.Unmarshal(p.Sub(), &sub); err != nil {
			t.Fatal(err)
		}
		return sub
	}
	p := three()
	p.As, p.Position = "html", 70
	want := map[string]any{
		"type": "sub", "river": "river", "page": "/page", "as": "html", "epoch": "e", "counter": 5.0, "position": 70.0,
		"have": []any{[]any{1.0, "a"}, []any{2.0, "b"}, []any{3.0, "c"}},
	}
	if diff := cmp.Diff(want, said(p)); diff != "" {
		t.Error(diff)
	}
	take := func(f *Frame) Verdict {
		t.Helper()
		verdict, err := p.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		return verdict
	}
	if take(patch(5, 6, put(4, "d", 0))) != Ignored || p.Counter != 5 {
		t.Error("the page takes a patch from before its hello")
	}
	if take(&Frame{Type: "hello", Epoch: "f"}) != Applied || p.Waiting {
		t.Error("the page does not take its hello")
	}
	if take(&Frame{Type: "patch", Epoch: "f", To: 3, Ops: []Op{put(4, "d", 9)}}) != Resub {
		t.Error("the page takes a patch that it can't apply")
	}
	if sub := said(p); sub["epoch"] != "" || sub["counter"] != 0.0 || len(sub["have"].([]any)) != 0 {
		t.Errorf("after a first patch that can't be applied the page subscribes with %v", sub)
	}
}
