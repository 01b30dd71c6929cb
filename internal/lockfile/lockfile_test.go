package lockfile_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"amstel.dev/amstel/internal/lockfile"
)

// pathEnv names the file that a child process, this test binary, locks until it is killed.
const pathEnv = "AMSTEL_TEST_LOCK"

func TestMain(m *testing.M) {
	path := os.Getenv(pathEnv)
	if path == "" {
		os.Exit(m.Run())
	}
	if lock, err := lockfile.Take(path); err != nil || lock == nil {
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString("locked\n")
	select {}
}

func take(t *testing.T, path string) *lockfile.Lock {
	t.Helper()
	lock, err := lockfile.Take(path)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

func TestLockHasOneHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	one := take(t, path)
	if one == nil {
		t.Fatal("no process holds the lock, and it can't be taken")
	}
	if other := take(t, path); other != nil {
		t.Error("two have it")
	}
	for _, said := range []string{"a long sentence", "short"} {
		if err := one.Write(said); err != nil {
			t.Fatal(err)
		}
		if got, err := lockfile.Text(path); err != nil || got != said {
			t.Errorf("it says %q, %v, want %q", got, err, said)
		}
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	other := take(t, path)
	if other == nil {
		t.Fatal("it was given back, yet it can't be had")
	}
	if got, err := lockfile.Text(path); err != nil || got != "short" {
		t.Errorf("it says %q, %v", got, err)
	}
	if other.Path() != path {
		t.Errorf("its path is %s", other.Path())
	}
	if err := other.Close(); err != nil {
		t.Error(err)
	}
}

func TestFolderThatIsNotThere(t *testing.T) {
	t.Parallel()
	if _, err := lockfile.Take(filepath.Join(t.TempDir(), "no", "lock")); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}

func TestKilledProcessHasNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), pathEnv+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if take(t, path) != nil {
		t.Error("two processes have it")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // killed, as expected
	lock := take(t, path)
	if lock == nil {
		t.Fatal("who had it was killed, yet it can't be had")
	}
	if err := lock.Close(); err != nil {
		t.Error(err)
	}
}
