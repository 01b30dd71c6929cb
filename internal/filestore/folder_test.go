package filestore

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func folder(t *testing.T, path string) *Folder {
	t.Helper()
	f, err := OpenFolder(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFolder(t *testing.T) {
	t.Parallel()
	suite(t, func(t *testing.T) Store { return folder(t, filepath.Join(t.TempDir(), "files")) })
}

// unfinished lists the files in the folders of processes, without their locks.
func unfinished(t *testing.T, path string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(path, "new", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range all {
		if filepath.Base(file) != lockName {
			found = append(found, file)
		}
	}
	return found
}

// TestFolderAfterBreaks: an interrupted put leaves nothing on the disk, not even an unfinished
// file.
func TestFolderAfterBreaks(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	f := folder(t, path)
	leavesNothing(t, f)
	if left := unfinished(t, path); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(path, "new", "*")); len(left) > 0 {
		t.Errorf("after the end %v are left", left)
	}
}

// TestFolderLeavesOthersAlone: a process that opens the store removes no file of another living
// process.
func TestFolderLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	first := folder(t, path)
	in, out := io.Pipe()
	done := make(chan error)
	go func() {
		_, err := first.Put(t.Context(), in, plenty)
		done <- err
	}()
	if _, err := out.Write([]byte("slow")); err != nil { // read by now, so the file has been made
		t.Fatal(err)
	}
	second := folder(t, path)
	if len(unfinished(t, path)) != 1 {
		t.Error("the unfinished file of a process that lives was removed")
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if all := names(t, second); len(all) != 1 {
		t.Errorf("the other process lists %v", all)
	}
	if err := errors.Join(first.Close(), second.Close()); err != nil {
		t.Error(err)
	}
}

// writerOf has the test binary put files into a folder without end, as another process.
const writerOf = "AMSTEL_TEST_WRITER_OF"

// TestFolderSurvivesKills kills a process that puts files, at random moments. Afterwards all
// files that were put exist, all existing files are whole, and there is nothing else.
func TestFolderSurvivesKills(t *testing.T) {
	if path := os.Getenv(writerOf); path != "" {
		putForEver(t, folder(t, path))
	}
	t.Parallel()
	path := t.TempDir()
	var confirmed []string
	for round := range 4 {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestFolderSurvivesKills$")
		cmd.Env = append(os.Environ(), writerOf+"="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(out); lines.Scan(); {
			confirmed = append(confirmed, lines.Text())
			if len(confirmed) == 3*(round+1) {
				break
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		if len(confirmed) != 3*(round+1) {
			t.Fatalf("the writer ended by itself after %d files", len(confirmed))
		}
	}
	f := folder(t, path)
	if left := unfinished(t, path); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
	there := strings.Join(names(t, f), " ")
	for _, name := range confirmed {
		if !strings.Contains(there, name) {
			t.Errorf("%s was put, and is lost", name)
		}
	}
	for info, err := range f.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(t.Context(), f, info.Name); err != nil {
			t.Error(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// putForEver puts files and prints their names, until the process is killed.
func putForEver(t *testing.T, f *Folder) {
	data := make([]byte, 200_000)
	for {
		_, _ = rand.Read(data) // never fails
		info, err := f.Put(t.Context(), bytes.NewReader(data), plenty)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Println(info.Name); err != nil {
			os.Exit(1)
		}
	}
}

// TestFolderHasOtherThings: files of other programs in the folder are neither listed nor
// removed.
func TestFolderHasOtherThings(t *testing.T) {
	t.Parallel()
	path := t.TempDir()
	if err := folder(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(path, "00", "README")
	if err := os.WriteFile(readme, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := folder(t, path)
	if all := names(t, f); len(all) != 0 {
		t.Errorf("listed %v", all)
	}
	if _, err := os.Stat(readme); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
