package address

import (
	"errors"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// TestNames_Lookup: the name of an account is cached for a limited time.
func TestNames_Lookup(t *testing.T) {
	t.Parallel()
	r, p := newResolver()
	look := func(when, name, want, asked string, broken error) {
		t.Helper()
		found, err := r.Names.Lookup(t.Context(), name)
		if !errors.Is(err, broken) || found.Name != want {
			t.Errorf("%s: %q %v, want %q %v", when, found.Name, err, want, broken)
		}
		if got := p.questions(); got != asked {
			t.Errorf("%s the primary is asked %q, want %q", when, got, asked)
		}
	}
	look("at first", "ALICIA", "alice", "whose feeds ", nil)
	look("within a second", "alicia", "alice", "", nil)
	p.now = p.now.Add(time.Second)
	look("after a second", "alicia", "alice", "whose ", nil)
	p.named["alicia"] = timeline.Named{Name: "ali", User: 3}
	look("within another", "alicia", "alice", "", nil)
	r.Names.Forget(Account{User: 3})
	look("once forgotten", "alicia", "ali", "whose ", nil)

	p.now, p.away = p.now.Add(time.Hour), timeline.ErrUnavailable
	look("while the primary is away", "alicia", "ali", "whose ", nil)
	look("a name that is new to the node", "cooks", "", "whose ", timeline.ErrUnavailable)
	p.away = nil
	delete(p.named, "alicia")
	look("once deleted", "alicia", "", "whose ", timeline.ErrNotFound)
	if held, ok := r.Names.Held("alicia"); ok {
		t.Errorf("%q is cached, though the account is deleted", held.Name)
	}
}

// TestNames_Settle: a page uses the right name after its river has told the owner's present
// name.
func TestNames_Settle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		asked, called string // by the address, and by the river
		gone, away    bool
		path          string // of the address then
		moved         string // the name to which the page redirects
		status        int
		questions     string
	}{
		{"the same name", "alice", "alice", false, false, "/alice/likes", "", 200, ""},
		{"no card", "alice", "", false, false, "/alice/likes", "", 200, ""},
		{"an old name", "alicia", "alice", false, false, "/alice/likes", "alice", 0, "whose feeds "},
		{"a river that is behind", "alice", "alicia", false, false, "/alice/likes", "", 200, "whose "},
		{"a new name while the primary is away", "alice", "ally", false, true, "/ally/likes", "ally", 0, "whose "},
		{"an owner who is gone", "alice", "alice", true, false, "/alice/likes", "", 404, ""},
		{"a name that is gone", "zoe", "alice", false, false, "/alice/likes", "", 404, "whose "},
	} {
		r, p := newResolver()
		a, err := r.River(t.Context(), 0, "/alice/likes", nil)
		if err != nil {
			t.Fatal(err)
		}
		p.questions()
		if tt.away {
			p.away = timeline.ErrUnavailable
		}
		err = r.Names.CheckName(t.Context(), &a, tt.asked, tt.called, tt.gone)
		if moved, ok := errors.AsType[*MovedError](err); ok != (tt.moved != "") || ok && moved.Name != tt.moved || !ok && statusOf(err) != tt.status {
			t.Errorf("%s: %v, want %d %q", tt.name, err, tt.status, tt.moved)
		}
		if got := p.questions(); a.Path != tt.path || got != tt.questions {
			t.Errorf("%s: %s after %q, want %s after %q", tt.name, a.Path, got, tt.path, tt.questions)
		}
		if _, ok := r.Names.Held("alice"); ok == tt.gone {
			t.Errorf("%s: remembered: %v", tt.name, ok)
		}
	}
}
