package attachment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"go.uber.org/goleak"

	"amstel.dev/amstel/internal/filestore"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/picture"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Runner(m)) }

// A desk is a keeper with its store, its files, and a clock that tests move.
type desk struct {
	*Keeper
	t     *testing.T
	owner timeline.UserID
	files *memory
	mu    sync.Mutex
	clock time.Time
}

func (d *desk) now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.clock
}

func (d *desk) wait(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock = d.clock.Add(by)
}

func newDesk(t *testing.T, opts Options) *desk {
	d := &desk{t: t, clock: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	d.files = &memory{now: d.now, all: make(map[filestore.Name]kept)}
	store := timeline.New(pgtest.New(t), timeline.Options{Now: d.now, Argon: pgtest.Argon})
	opts.Now = d.now
	if opts.Maker == nil {
		opts.Maker = fake{}
	}
	d.Keeper = New(store, d.files, opts)
	var err error
	if d.owner, err = store.SignUp(t.Context(), timeline.NewUser{Name: "anna", Email: "anna@example.org", Password: "correct horse"}); err != nil {
		t.Fatal(err)
	}
	return d
}

// memory is a file store with times of a test's clock.
type memory struct {
	now func() time.Time
	mu  sync.Mutex
	all map[filestore.Name]kept

	found, removing func() // called once each if not nil: a file was found; it is about to be removed
}

// once calls a hook the first time.
func (m *memory) once(hook *func()) {
	m.mu.Lock()
	f := *hook
	*hook = nil
	m.mu.Unlock()
	if f != nil {
		f()
	}
}

type kept struct {
	bytes []byte
	at    time.Time
}

type opened struct {
	*bytes.Reader
	info filestore.Info
}

func (o *opened) Close() error         { return nil }
func (o *opened) Info() filestore.Info { return o.info }

func (m *memory) Put(_ context.Context, from io.Reader, most int64) (filestore.Info, error) {
	data, err := io.ReadAll(from)
	if err != nil {
		return filestore.Info{}, err
	}
	if int64(len(data)) > most {
		return filestore.Info{}, filestore.ErrTooLarge
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	name := nameOf(data)
	m.all[name] = kept{data, m.now()}
	return filestore.Info{Name: name, Size: int64(len(data)), Put: m.now()}, nil
}

func (m *memory) Open(_ context.Context, name filestore.Name) (filestore.File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	file, is := m.all[name]
	if !is {
		return nil, filestore.ErrNotFound
	}
	m.mu.Unlock()
	m.once(&m.found)
	m.mu.Lock()
	return &opened{bytes.NewReader(file.bytes), filestore.Info{Name: name, Size: int64(len(file.bytes)), Put: file.at}}, nil
}

func (m *memory) Remove(_ context.Context, name filestore.Name) error {
	m.once(&m.removing)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.all, name)
	return nil
}

func (m *memory) List(context.Context) iter.Seq2[filestore.Info, error] {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []filestore.Info
	for name, file := range m.all {
		all = append(all, filestore.Info{Name: name, Size: int64(len(file.bytes)), Put: file.at})
	}
	return func(yield func(filestore.Info, error) bool) {
		for _, info := range all {
			if !yield(info, nil) {
				return
			}
		}
	}
}

func (m *memory) Close() error { return nil }

// A fake makes renditions that are no pictures, of any upload.
type fake struct{ err error }

func (f fake) Make(_ context.Context, upload []byte) (*picture.Picture, error) {
	r := func(name string) picture.Rendition {
		return picture.Rendition{Format: picture.JPEG, Width: 30, Height: 20, Bytes: append([]byte(name), upload...)}
	}
	return &picture.Picture{Frames: 1, Original: r("original"), Medium: r("medium"), Thumb: r("thumb"), Grid: r("grid"), Grid2x: r("grid2x")}, f.err
}

// Flat returns pixels of one shade, which depends on the length of the upload.
func (f fake) Flat(_ context.Context, upload []byte) (image.Image, error) {
	m := image.NewGray(image.Rect(0, 0, 40, 40))
	for i := range m.Pix {
		m.Pix[i] = byte(len(upload))
	}
	return m, f.err
}

// jpeg is the beginning of a picture.
const jpeg = "\xff\xd8\xff"

// receive uploads a file.
func (d *desk) receive(text string) timeline.AttachmentID {
	d.t.Helper()
	id, err := d.Receive(d.t.Context(), d.owner, timeline.NewAttachment{FileName: "soup", Size: int64(len(text))}, strings.NewReader(text))
	if err != nil {
		d.t.Fatal(err)
	}
	return id
}

// work takes one upload from the queue.
func (d *desk) work() bool {
	d.t.Helper()
	more, err := d.Work(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return more
}

// all returns the unattached files of the owner.
func (d *desk) all() []timeline.UploadedFile {
	d.t.Helper()
	files, err := d.store.UnattachedFiles(d.t.Context(), d.owner)
	if err != nil {
		d.t.Fatal(err)
	}
	return files
}

// sweep removes the files that no row needs, with a keeper of its own.
func (d *desk) sweep() int {
	d.t.Helper()
	n, err := New(d.store, d.files, Options{Now: d.now}).Sweep(d.t.Context())
	if err != nil {
		d.t.Fatal(err)
	}
	return n
}

// whole fails the test unless every file that a row names is in the store, and, if exact, no
// other.
func (d *desk) whole(exact bool) {
	d.t.Helper()
	needed := map[filestore.Name]bool{}
	rows, err := d.store.Pool().Query(d.t.Context(), `select file from renditions union select upload from attachments where upload is not null union select small from account_pictures union select large from account_pictures`)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name []byte
		if err := rows.Scan(&name); err != nil {
			d.t.Fatal(err)
		}
		needed[filestore.Name(name)] = true
		if is, _ := d.kept(d.t.Context(), timeline.FileName(name)); !is {
			d.t.Errorf("file %x is gone, and a row names it", name)
		}
	}
	if n := len(d.files.all); exact && n != len(needed) {
		d.t.Errorf("%d files are kept, and %d are needed", n, len(needed))
	}
}

// TestUploadsOfEveryKind receives files of every kind, and processes them.
func TestUploadsOfEveryKind(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Options{})
	for text, want := range map[string]string{
		jpeg + "photo":                          "image image/jpeg",
		"%PDF-1.7":                              "file application/pdf",
		"fLaC":                                  "audio audio/flac",
		"ID3 and so on":                         "audio audio/mpeg",
		"\xff\xfb\x90\x00":                      "audio audio/mpeg",
		"\x00\x00\x00\x18ftypM4A \x00\x00\x00":  "audio audio/mp4",
		"OggS\x00 \x80theora":                   "video video/ogg",
		"OggS\x00 \x01vorbis":                   "audio audio/ogg",
		"\x1aE\xdf\xa3":                         "video video/webm",
		"words":                                 "file text/plain; charset=utf-8",
		"<html><script>":                        "file application/octet-stream",
		"<svg xmlns='http://www.w3.org/2000'/>": "file text/plain; charset=utf-8",
		"":                                      "file text/plain; charset=utf-8",
		"\x00\x01\x02":                          "file application/octet-stream",
	} {
		id := d.receive(text)
		if !d.work() || d.work() {
			t.Errorf("%q: not one was in the queue", text)
		}
		i := slices.IndexFunc(d.all(), func(f timeline.UploadedFile) bool { return f.ID == id })
		f := d.all()[i]
		if got := f.Kind + " " + f.MediaType; got != want || f.State != timeline.AttachmentReady {
			t.Errorf("%q is %s, %s; want %s", text, f.State, got, want)
		}
		if pictures := f.Kind == "image"; pictures && len(f.Renditions) != 5 || !pictures && len(f.Renditions) != 1 {
			t.Errorf("%q has the renditions %v", text, f.Renditions)
		}
	}
	d.whole(false)
	d.wait(25 * time.Hour)
	d.sweep()
	d.whole(true)
}

// TestBrokenUploadsLeaveNothing breaks uploads off and makes them too long.
func TestBrokenUploadsLeaveNothing(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Options{Limits: timeline.AttachmentLimits{File: 100}})
	torn := errors.New("the connection is torn")
	ended, cancel := context.WithCancel(t.Context())
	for name, tt := range map[string]struct {
		from     io.Reader
		size     int64
		tooLarge bool // else the connection is torn
	}{
		"torn":                  {io.MultiReader(strings.NewReader("half"), iotest.ErrReader(torn)), 0, false},
		"larger than it said":   {strings.NewReader("abcdef"), 5, true},
		"larger than allowed":   {strings.NewReader(strings.Repeat("a", 101)), 0, true},
		"said to be too large":  {strings.NewReader(""), 101, true},
		"of a client that left": {io.MultiReader(strings.NewReader("half"), reading(cancel), iotest.ErrReader(torn)), 0, false},
	} {
		ctx := t.Context()
		if name == "of a client that left" {
			ctx = ended
		}
		_, err := d.Receive(ctx, d.owner, timeline.NewAttachment{Size: tt.size}, tt.from)
		_, tooLarge := errors.AsType[*timeline.QuotaError](err)
		if tooLarge != tt.tooLarge || errors.Is(err, torn) == tt.tooLarge {
			t.Errorf("%s: %v", name, err)
		}
	}
	var rows int
	if err := d.store.Pool().QueryRow(t.Context(), `select count(*) from attachments`).Scan(&rows); err != nil || rows != 0 || len(d.files.all) != 0 {
		t.Errorf("%d rows and %d files are left, %v", rows, len(d.files.all), err)
	}
}

// A reading is a reader that calls a function and returns no bytes.
type reading func()

func (r reading) Read([]byte) (int, error) { r(); return 0, io.EOF }

// TestFailuresOfWork processes uploads that fail at once, after some tries, or never.
func TestFailuresOfWork(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		err    error
		tries  int
		reason timeline.Refusal
	}{
		"another type":      {fmt.Errorf("%w: what the tool said", picture.ErrType), 1, "type"},
		"many bytes":        {fmt.Errorf("%w: what the tool said", picture.ErrBytes), 1, "bytes"},
		"many pixels":       {fmt.Errorf("%w: what the tool said", picture.ErrPixels), 1, "pixels"},
		"many frames":       {fmt.Errorf("%w: what the tool said", picture.ErrFrames), 1, "frames"},
		"a damaged picture": {fmt.Errorf("%w: what the tool said", picture.ErrDamaged), 1, "damaged"},
		"much effort":       {fmt.Errorf("%w: what the tool said", picture.ErrEffort), 1, "effort"},
		"no tool":           {picture.ErrNoTool, 1, "no_tool"},
		"a broken machine":  {errors.New("no memory"), timeline.MaxAttachmentTries, "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, Options{Maker: fake{tt.err}})
			d.receive(jpeg)
			tries := 0
			for range 10 {
				if more, _ := d.Work(t.Context()); more {
					tries++
				}
				d.wait(2 * time.Hour)
			}
			if f := d.all()[0]; f.State != timeline.AttachmentRefused || f.Refused != tt.reason || tries != tt.tries {
				t.Errorf("after %d tries it is %s: %s", tries, f.State, f.Refused)
			}
			d.wait(25 * time.Hour)
			d.sweep()
			d.whole(true)
		})
	}
}

// TestEndingWorkerGivesBack stops a worker: its try does not count.
func TestEndingWorkerGivesBack(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	d := newDesk(t, Options{Reached: func(point string) {
		if point == pointMade {
			cancel()
		}
	}})
	d.receive(jpeg)
	if _, err := d.Work(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the worker that ends: %v", err)
	}
	if l, err := d.store.TakeAttachment(t.Context(), time.Minute); err != nil || l == nil || l.Try != 1 {
		t.Errorf("the next worker takes %+v, %v", l, err)
	}
}

// A killed is the panic value of a killed process in these tests.
type killed struct{}

// kill runs f up to the point of the kill, and reports whether f was killed.
func kill(f func()) (was bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(killed); !is {
				panic(r)
			}
			was = true
		}
	}()
	f()
	return false
}

// TestKilledAtEachPoint kills a process at each point that it reaches, the first time, the second
// time, and so on. Another process continues. No queued upload is lost, and no file is left over.
func TestKilledAtEachPoint(t *testing.T) {
	if testing.Short() {
		t.Skip("kills a worker at many points")
	}
	t.Parallel()
	count := 0
	for at := 1; ; at++ {
		reached, name := 0, ""
		d := newDesk(t, Options{Reached: func(point string) {
			if reached++; reached == at {
				name = point
				panic(killed{})
			}
		}})
		queued := false
		was := kill(func() {
			d.receive(jpeg + "soup")
			queued = true
			d.work()
			d.wait(25 * time.Hour)
			if _, err := d.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
		if !was {
			break
		}
		count++
		queued = queued || name == pointQueued
		other := New(d.store, d.files, Options{Now: d.now, Maker: fake{}})
		d.wait(leaseFor)
		for {
			more, err := other.Work(t.Context())
			if err != nil {
				t.Fatalf("after a kill at %s: %v", name, err)
			}
			if !more {
				break
			}
		}
		if files := d.all(); queued && (len(files) != 1 || files[0].State != timeline.AttachmentReady || len(files[0].Renditions) != 5) {
			t.Errorf("after a kill at %s there are %+v", name, files)
		}
		d.wait(25 * time.Hour)
		d.sweep()
		d.whole(true)
		if !queued {
			if err := d.store.PrunePrimary(t.Context(), timeline.Ages{}); err != nil {
				t.Fatal(err)
			}
			if n := len(d.files.all); n != 0 {
				t.Errorf("after a kill at %s %d files are left", name, n)
			}
		}
	}
	if count < 12 {
		t.Errorf("killed at %d points only", count)
	}
}

// TestSweepBesideUploads puts the same few files again and again, removes their rows, and
// sweeps at the same time while days go by: no row ever names a file that is gone.
func TestSweepBesideUploads(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	d := newDesk(t, Options{Limits: timeline.AttachmentLimits{Unattached: 1000}})
	var uploads, sweeps sync.WaitGroup
	done := make(chan struct{})
	for range 3 {
		sweeps.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				d.wait(13 * time.Hour)
				if _, err := d.Sweep(t.Context()); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 4 {
		uploads.Go(func() {
			for range 40 {
				id, err := d.Receive(t.Context(), d.owner, timeline.NewAttachment{Size: 10}, strings.NewReader(jpeg+fmt.Sprint(rand.N(2))))
				if errors.Is(err, timeline.ErrFileGone) || errors.Is(err, timeline.ErrNotFound) {
					continue // days pass between two lines of this process
				}
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := d.Work(t.Context()); err != nil && !errors.Is(err, filestore.ErrNotFound) {
					t.Error(err)
					return
				}
				if rand.N(3) > 0 {
					if _, err := d.store.RemoveAttachment(t.Context(), d.owner, id); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	uploads.Wait()
	close(done)
	sweeps.Wait()
	d.whole(false)
	d.wait(25 * time.Hour)
	d.sweep()
	d.whole(true)
}

// nameOf returns the name of a file of these bytes.
func nameOf(data []byte) filestore.Name { return sha256.Sum256(data) }

// beside runs f in the background until f ends or waits for an advisory lock, and returns a
// function that waits for its end.
func (d *desk) beside(f func() error) (wait func() error) {
	const waiting = `
		select exists (select from pg_locks where locktype = 'advisory' and not granted
			and database = (select oid from pg_database where datname = current_database()))`
	ended := make(chan error, 1)
	go func() { ended <- f() }()
	for {
		select {
		case err := <-ended:
			return func() error { return err }
		default:
		}
		var is bool
		if err := d.store.Pool().QueryRow(d.t.Context(), waiting).Scan(&is); err != nil {
			d.t.Error(err)
			is = true
		}
		if is {
			return func() error { return <-ended }
		}
	}
}

// TestSweepAndRowOfOneFile: a sweep removes a file while a row is written that names it, at the
// worst moments: each has checked for the other, and not yet acted.
func TestSweepAndRowOfOneFile(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{"the row is first": "row", "the sweep is first": "sweep"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, Options{})
			info, err := d.files.Put(t.Context(), strings.NewReader("soup"), 4)
			if err != nil {
				t.Fatal(err)
			}
			d.wait(25 * time.Hour)
			id, _, err := d.store.ReserveAttachment(t.Context(), d.owner, timeline.NewAttachment{Size: 4}, timeline.AttachmentLimits{})
			if err != nil {
				t.Fatal(err)
			}
			row := func() error {
				return d.store.ReceiveAttachment(t.Context(), d.owner, id, timeline.FileName(info.Name), 4, d.kept)
			}
			sweep := func() error { _, err := d.Sweep(t.Context()); return err }
			var second func() error
			if first == "row" {
				d.files.found = func() { second = d.beside(sweep) }
				if err := errors.Join(row(), second()); err != nil {
					t.Error(err)
				}
			} else {
				d.files.removing = func() { second = d.beside(row) }
				if err := sweep(); err != nil {
					t.Error(err)
				}
				if err := second(); !errors.Is(err, timeline.ErrFileGone) {
					t.Errorf("the row was written with %v", err)
				}
			}
			d.whole(true)
		})
	}
}
