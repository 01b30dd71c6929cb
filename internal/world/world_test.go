package world

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/audit"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/plainrule"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// TestWorld makes 3,000 random writes. Each kind of write succeeds at least once, none fails
// but by a refusal, and the primary never contradicts itself.
func TestWorld(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a random run")
	}
	t.Parallel()
	pool := pgtest.New(t)
	store := timeline.New(pool, timeline.Options{Argon: pgtest.Argon})
	const seed = 7
	w := New(t, store, seed)
	for i := range 4000 {
		what, err := w.Step(t.Context())
		if err != nil && !Refused(err) {
			t.Fatalf("step %d, %s: %v", i, what, err)
		}
		if i%100 != 99 {
			continue
		}
		if err := w.Finish(t.Context()); err != nil {
			t.Fatal(err)
		}
		site, err := plainrule.Read(t.Context(), pool)
		if err != nil {
			t.Fatal(err)
		}
		faults := site.Check()
		for _, who := range w.People {
			if untold := site.MissingNotices(int64(who.ID)); len(untold) > 0 && !who.Picky {
				faults = append(faults, fmt.Sprintf("%s lacks the notices %+v", who.Name, untold))
			}
		}
		if i%500 == 499 {
			found, err := audit.Check(t.Context(), pool)
			if err != nil {
				t.Fatal(err)
			}
			faults = append(faults, found...)
		}
		if len(faults) > 0 {
			t.Fatalf("after %d steps: %q", i+1, faults)
		}
	}
	t.Log(w.Did, w.Refused)
	for _, what := range Kinds() {
		if w.Did[what] == 0 {
			t.Errorf("no write of kind %q succeeded", what)
		}
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	w := &World{}
	a, b := w.Text("one"), w.Text("two")
	if got := fmt.Sprint(Secrets(a + " and " + b)); got != "[secret00001x secret00002x]" {
		t.Error(got)
	}
}
