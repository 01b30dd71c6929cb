package filestore

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"
)

// plenty is a limit that no file of the tests reaches.
const plenty = 1 << 30

// suite tests the promises of every store. Each call of open returns an empty store.
func suite(t *testing.T, open func(t *testing.T) Store) {
	for _, tt := range []struct {
		name string
		run  func(t *testing.T, s Store)
	}{
		{"a file is read as it was put", readsWhatWasPut},
		{"a file is read from any place", readsFromAnyPlace},
		{"the same bytes are one file", keepsOnce},
		{"a file that is not there", missesFiles},
		{"a removed file is gone", removes},
		{"what is not put whole is not there", leavesNothing},
		{"a store lists its files", lists},
		{"many put at once", putsAtOnce},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
			tt.run(t, s)
		})
	}
}

func put(t *testing.T, s Store, text string) Info {
	t.Helper()
	info, err := s.Put(t.Context(), strings.NewReader(text), plenty)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func read(t *testing.T, s Store, name Name) string {
	t.Helper()
	file, err := s.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// names returns the names of all files of a store, in order.
func names(t *testing.T, s Store) []string {
	t.Helper()
	var all []string
	for info, err := range s.List(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, info.Name.String())
	}
	slices.Sort(all)
	return all
}

func readsWhatWasPut(t *testing.T, s Store) {
	for _, text := range []string{"", "a", strings.Repeat("long ", 300_000)} {
		info := put(t, s, text)
		if want := Name(sha256.Sum256([]byte(text))); info.Name != want || info.Size != int64(len(text)) {
			t.Errorf("put %s of %d bytes, want %s of %d", info.Name, info.Size, want, len(text))
		}
		if age := time.Since(info.Put); age > time.Hour || age < -time.Hour {
			t.Errorf("it was put at %v", info.Put)
		}
		if got := read(t, s, info.Name); got != text {
			t.Errorf("read %d bytes, want %d", len(got), len(text))
		}
		if err := Verify(t.Context(), s, info.Name); err != nil {
			t.Error(err)
		}
	}
}

// readsFromAnyPlace answers requests for ranges, as a player of videos makes them.
func readsFromAnyPlace(t *testing.T, s Store) {
	text := strings.Repeat("0123456789", 10_000)
	name := put(t, s, text).Name
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, err := s.Open(r.Context(), name)
		if err != nil {
			t.Error(err)
			return
		}
		defer file.Close()
		if file.Info().Name != name || file.Info().Size != int64(len(text)) {
			t.Errorf("the open file is %+v", file.Info())
		}
		http.ServeContent(w, r, "", file.Info().Put, file)
	}))
	defer server.Close()
	for header, want := range map[string]string{
		"": text, "bytes=0-9": text[:10], "bytes=99990-": text[99990:], "bytes=-5": text[99995:], "bytes=50003-50005": "345",
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		if header != "" {
			request.Header.Set("Range", header)
		}
		answer, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		if err := errors.Join(err, answer.Body.Close()); err != nil || string(got) != want {
			t.Errorf("%q: %d bytes, want %d (%v)", header, len(got), len(want), err)
		}
	}
}

func keepsOnce(t *testing.T, s Store) {
	first, second, other := put(t, s, "same"), put(t, s, "same"), put(t, s, "other")
	if first.Name != second.Name || first.Name == other.Name {
		t.Errorf("names %s, %s and %s", first.Name, second.Name, other.Name)
	}
	if second.Put.Before(first.Put) {
		t.Errorf("put again at %v, before %v", second.Put, first.Put)
	}
	if all := names(t, s); len(all) != 2 {
		t.Errorf("there are %d files, want 2", len(all))
	}
}

func missesFiles(t *testing.T, s Store) {
	name := Name(sha256.Sum256([]byte("never put")))
	if _, err := s.Open(t.Context(), name); !errors.Is(err, ErrNotFound) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open: %v", err)
	}
	if err := Verify(t.Context(), s, name); !errors.Is(err, ErrNotFound) {
		t.Errorf("verify: %v", err)
	}
	if err := s.Remove(t.Context(), name); err != nil {
		t.Errorf("remove: %v", err)
	}
}

func removes(t *testing.T, s Store) {
	gone, stays := put(t, s, "gone").Name, put(t, s, "stays").Name
	for range 2 {
		if err := s.Remove(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Open(t.Context(), gone); !errors.Is(err, ErrNotFound) {
		t.Errorf("open: %v", err)
	}
	if read(t, s, stays) != "stays" || len(names(t, s)) != 1 {
		t.Error("the other file is gone, too")
	}
	if put(t, s, "gone"); read(t, s, gone) != "gone" {
		t.Error("it can't be put again")
	}
}

func leavesNothing(t *testing.T, s Store) {
	torn := errors.New("the connection is torn")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name string
		ctx  context.Context
		from io.Reader
		want error
	}{
		{"too large by a byte", t.Context(), strings.NewReader(strings.Repeat("a", 1001)), ErrTooLarge},
		{"without an end", t.Context(), endless{}, ErrTooLarge},
		{"broken off", t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(torn)), torn},
		{"after the end of its request", ended, strings.NewReader("late"), context.Canceled},
	} {
		if _, err := s.Put(tt.ctx, tt.from, 1000); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if _, err := s.Put(t.Context(), strings.NewReader(strings.Repeat("a", 1000)), 1000); err != nil {
		t.Errorf("just as large as allowed: %v", err)
	}
	if all := names(t, s); len(all) != 1 {
		t.Errorf("there are %d files, want 1", len(all))
	}
}

// endless is a reader of zeros.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func lists(t *testing.T, s Store) {
	var want []string
	sizes := map[string]int64{}
	for i := range 7 {
		info := put(t, s, strings.Repeat("x", i))
		want, sizes[info.Name.String()] = append(want, info.Name.String()), int64(i)
	}
	slices.Sort(want)
	if got := names(t, s); !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	for info, err := range s.List(t.Context()) {
		if err != nil || info.Size != sizes[info.Name.String()] || time.Since(info.Put) > time.Hour {
			t.Errorf("listed %+v, %v", info, err)
		}
	}
	for range s.List(t.Context()) {
		break // the caller has seen enough
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for info, err := range s.List(ended) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("listed %+v, %v after the end", info, err)
		}
	}
}

func putsAtOnce(t *testing.T, s Store) {
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			text := strings.Repeat(fmt.Sprint(i%4), 50_000)
			info, err := s.Put(t.Context(), strings.NewReader(text), plenty)
			if err != nil {
				t.Error(err)
				return
			}
			if err := Verify(t.Context(), s, info.Name); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := len(names(t, s)); n != 4 {
		t.Errorf("there are %d files, want 4", n)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	name := Name(sha256.Sum256(nil))
	if got, err := ParseName(name.String()); err != nil || got != name {
		t.Errorf("%s was read as %s, %v", name, got, err)
	}
	for _, bad := range []string{"", "e3", strings.Repeat("g", 64), strings.Repeat("a", 65), strings.ToUpper(name.String()), "../" + name.String()[3:]} {
		if _, err := ParseName(bad); err == nil {
			t.Errorf("%q is said to be a name", bad)
		}
	}
}

// TestVerifyFindsDamage checks a file after its bytes changed in the store.
func TestVerifyFindsDamage(t *testing.T) {
	t.Parallel()
	s := &damaged{bytes.NewReader([]byte("other")), Info{Name: sha256.Sum256([]byte("mine"))}}
	if err := Verify(t.Context(), s, s.info.Name); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// A damaged is a store of one file with the bytes of another.
type damaged struct {
	*bytes.Reader
	info Info
}

func (d *damaged) Put(context.Context, io.Reader, int64) (Info, error) { return Info{}, nil }
func (d *damaged) Open(context.Context, Name) (File, error)            { return d, nil }
func (d *damaged) Remove(context.Context, Name) error                  { return nil }
func (d *damaged) List(context.Context) iter.Seq2[Info, error]         { return nil }
func (d *damaged) Close() error                                        { return nil }
func (d *damaged) Info() Info                                          { return d.info }
