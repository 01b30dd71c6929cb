package page

import (
	"testing"

	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/web/catalogue"
)

// TestFileName gives names to uploads of several media types.
func TestFileName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ upload, mediaType, want string }{
		{"soup.jpg", "image/webp", "soup.webp"},
		{"soup.avif", "image/jpeg", "soup.jpg"},
		{"SOUP.JPEG", "image/jpeg", "SOUP.JPEG"},
		{"soup.JPG", "image/png", "soup.png"},
		{"soup.2026", "image/webp", "soup.2026.webp"},
		{"soup", "image/png", "soup.png"},
		{".jpg", "image/webp", ".webp"},
		{"soup.jpg.html", "image/jpeg", "soup.jpg.html.jpg"},
		{"tune.opus", "audio/ogg", "tune.opus"},
		{"tune.mp3", "audio/flac", "tune.flac"},
		{"notes.md", "text/plain; charset=utf-8", "notes.md"},
		{"notes", "text/plain; charset=utf-8", "notes"},
		{"book.zip", "application/octet-stream", "book.zip"},
		{"book.html", "application/pdf", "book.html.pdf"},
		{"Суп.jpg", "image/webp", "Суп.webp"},
	} {
		if got := FileName(tt.upload, tt.mediaType); got != tt.want {
			t.Errorf("%s as %s is %s, want %s", tt.upload, tt.mediaType, got, tt.want)
		}
	}
}

// TestRefusedFile: each refusal has a sentence of its own in each language.
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
