package bundle_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/bundle"
)

func TestScriptIsTheOneThatIsCommitted(t *testing.T) {
	t.Parallel()
	fresh, err := bundle.Script("../../" + bundle.Client)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../../" + bundle.Output)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(fresh, committed) {
		t.Errorf("%s is not what its sources make; run make generate", bundle.Output)
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
	if _, err := bundle.Script(client); err == nil || !strings.Contains(err.Error(), "main.ts:1") {
		t.Errorf("error %v, want one that names the place", err)
	}
}
