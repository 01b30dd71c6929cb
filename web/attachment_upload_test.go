package web

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestSlowUploadEnds reads a body after the time limit for its first byte, and a body whose
// client sent fast enough to earn more time.
func TestSlowUploadEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		began time.Duration // ago
		read  int64         // before
		want  error
	}{
		{"at the beginning", 0, 0, nil},
		{"slow", 2 * uploadStart, 0, errSlow},
		{"fast", 2 * uploadStart, 600 * uploadRate, nil},
		{"for ever", 2 * uploadLongest, 1 << 40, errSlow},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := make(chan error, 1)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body := &pacedBody{ReadCloser: r.Body, connection: http.NewResponseController(w), began: time.Now().Add(-tt.began), read: tt.read}
				_, err := io.Copy(io.Discard, body)
				got <- err
			}))
			defer server.Close()
			answer, err := server.Client().Post(server.URL, "text/plain", strings.NewReader(strings.Repeat("x", 1<<20)))
			if err == nil {
				answer.Body.Close()
			}
			if err := <-got; !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}
