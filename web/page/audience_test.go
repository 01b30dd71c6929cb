package page

import (
	"encoding/json"
	"os"
	"testing"

	"amstel.dev/amstel/timeline"
)

// TestAudienceSentences reads what the page's client is tested by, too.
func TestAudienceSentences(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("testdata/audience.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		About Subject
		Says  string
		timeline.Audience
	}
	if err := json.Unmarshal(source, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 10 {
		t.Fatalf("there are %d cases", len(cases))
	}
	for _, c := range cases {
		a := &Audience{Audience: c.Audience, About: c.About}
		if got := a.sentence(); got != c.Says {
			t.Errorf("%s %+v: %q, want %q", c.About, c.Audience, got, c.Says)
		}
	}
	if got := (&Audience{Refuse: "No."}).sentence(); got != "No." {
		t.Errorf("what can't be said is %q", got)
	}
	if got := (*Audience)(nil).sentence(); got != "" {
		t.Errorf("what was not asked is %q", got)
	}
}
