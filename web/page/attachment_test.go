package page

import (
	"testing"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// TestRefusedFile wants a sentence of its own for each refusal, in each language.
func TestRefusedFile(t *testing.T) {
	t.Parallel()
	for _, language := range catalogue.All {
		said := make(map[string]timeline.Refusal)
		for _, why := range timeline.Refusals() {
			sentence := RefusedFile(language, why, "soup.jpg")
			if before, is := said[sentence]; is || sentence == "" {
				t.Errorf("%s: %q is said of %s and %s", language.Code(), sentence, before, why)
			}
			said[sentence] = why
		}
	}
}
