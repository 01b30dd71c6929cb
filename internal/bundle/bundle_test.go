package bundle_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/internal/bundle"
)

func TestScriptsAreThoseThatAreCommitted(t *testing.T) {
	t.Parallel()
	for _, b := range bundle.Bundles {
		fresh, err := b.Build("../../" + bundle.Client)
		if err != nil {
			t.Fatal(err)
		}
		committed, err := os.ReadFile("../../" + b.Output)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(fresh, committed) {
			t.Errorf("%s is not what its sources make; run make generate", b.Output)
		}
	}
}

func TestScriptSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	client := t.TempDir()
	if err := os.Mkdir(client+"/src", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(client+"/src/main.ts", []byte("const a = ;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := bundle.Bundles[0].Build(client); err == nil || !strings.Contains(err.Error(), "main.ts:1") {
		t.Errorf("error %v, want one that names the place", err)
	}
}

func TestWatchWritesTheScriptAgain(t *testing.T) {
	t.Parallel()
	client, output := t.TempDir(), filepath.Join(t.TempDir(), "client.js")
	source := filepath.Join(client, "src", "main.ts")
	write := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(source), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written := func(want string) {
		t.Helper()
		for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(10 * time.Millisecond) { // a file of another's: polled
			if text, err := os.ReadFile(output); err == nil && strings.Contains(string(text), want) {
				return
			}
		}
		t.Fatalf("%s was not written", want)
	}
	write(`console.log("first")`)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- bundle.Bundles[0].Watch(ctx, client, output) }()
	written("first")
	write(`console.log("second")`)
	written("second")
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestScriptsAreSmall holds how many bytes a first visit loads as script, and how many the first use
// of keys, completion or a picture, both compressed.
func TestScriptsAreSmall(t *testing.T) {
	t.Parallel()
	most := map[string]int{"client.js": 24 << 10, "client.ru.js": 24 << 10, "extra.js": 7 << 10, "api.js": 2 << 10, "passkey.js": 1 << 10}
	for _, b := range bundle.Bundles {
		script, err := os.ReadFile("../../" + b.Output)
		if err != nil {
			t.Fatal(err)
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write(script); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if limit := most[filepath.Base(b.Output)]; limit > 0 && packed.Len() > limit {
			t.Errorf("%s has %d bytes, want at most %d", b.Output, packed.Len(), limit)
		}
	}
}
