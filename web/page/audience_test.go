package page

import (
	"encoding/json"
	"os"
	"testing"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// TestAudienceSentences reads the cases that the client's test reads too.
func TestAudienceSentences(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("testdata/audience.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		About Subject
		Says  string
		Ru    string
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
		for language, want := range map[catalogue.Language]string{catalogue.English: c.Says, catalogue.Russian: c.Ru} {
			if got := a.sentence(language); got != want {
				t.Errorf("%s %+v: %q, want %q", c.About, c.Audience, got, want)
			}
		}
	}
	if got := (&Audience{Refuse: "No."}).sentence(catalogue.English); got != "No." {
		t.Errorf("what can't be said is %q", got)
	}
	if got := (*Audience)(nil).sentence(catalogue.English); got != "" {
		t.Errorf("what was not asked is %q", got)
	}
}
