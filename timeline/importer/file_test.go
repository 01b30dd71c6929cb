package importer_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/importer"
)

// withFiles has the lines of good, and lines of two files of a post and of one file of a comment.
const withFiles = good + `{"type":"file","id":"f1","post":"p1","path":"a/boat.jpg","alt":" A boat ","at":"2015-05-28T08:30:00Z"}
{"type":"file","id":"f2","post":"p1","path":"oar.jpg","alt":"","at":"2015-05-28T08:30:01Z"}
{"type":"comment_file","id":"f1","comment":"c1","path":"a/boat.jpg","alt":"","at":"2015-05-28T08:31:00Z"}
`

// A shelf is a file store whose files contain their own paths. It implements [importer.Files].
type shelf struct {
	mu    sync.Mutex
	there []string // the paths of existing files
	names map[timeline.FileName]bool
	puts  int
	swept int // how many more times a file shall be gone when its row is written
}

func (s *shelf) Keep(_ context.Context, path string) (name timeline.FileName, size int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case path == "large.jpg":
		return name, 0, &importer.FileError{Reason: "it is too large"}
	case !slices.Contains(s.there, path):
		return name, 0, fmt.Errorf("open %s: %w", path, fs.ErrNotExist)
	}
	name = sha256.Sum256([]byte(path))
	if s.names == nil {
		s.names = make(map[timeline.FileName]bool)
	}
	s.names[name] = true
	s.puts++
	return name, int64(len(path)), nil
}

func (s *shelf) Kept(_ context.Context, name timeline.FileName) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.swept > 0 {
		s.swept--
		return false, nil
	}
	return s.names[name], nil
}

// takeFiles imports a file with files.
func takeFiles(t *testing.T, pool *pgxpool.Pool, files importer.Files, lines string, batch int) (importer.Report, error) {
	t.Helper()
	return importer.Import(t.Context(), pool, strings.NewReader(lines), importer.Options{Source: "town", Batch: batch, Files: files})
}

// attached returns the attachments, each as a line.
func attached(t *testing.T, pool *pgxpool.Pool) []string {
	t.Helper()
	rows, err := pool.Query(t.Context(), `
		select concat_ws(' ', u.name, case when post_id is null then 'comment' else 'post' end, position, file_name, quote_literal(alt), state, size, a.created_at at time zone 'UTC')
		from attachments a join users u on u.id = a.user_id order by comment_id nulls first, position, a.id`)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestFilesAreImportedOnce(t *testing.T) {
	t.Parallel()
	for _, batch := range []int{1, 6, 0} {
		t.Run(fmt.Sprint("batches of ", batch), func(t *testing.T) {
			t.Parallel()
			pool, files := pgtest.New(t), &shelf{there: []string{"a/boat.jpg", "oar.jpg", "more.pdf"}}
			want := []string{
				"anna post 0 boat.jpg 'A boat' queued 10 2015-05-28 08:30:00",
				"anna post 1 oar.jpg '' queued 7 2015-05-28 08:30:01",
				"boris comment 0 boat.jpg '' queued 10 2015-05-28 08:31:00",
			}
			for i, news := range []int{2, 0} {
				report, err := takeFiles(t, pool, files, withFiles, batch)
				if err != nil {
					t.Fatal(err)
				}
				if report.Files.New != news || report.Files.There != 2-news || report.CommentFiles.New+report.CommentFiles.There != 1 {
					t.Errorf("import %d: %+v, %+v", i+1, report.Files, report.CommentFiles)
				}
				if diff := cmp.Diff(want, attached(t, pool)); diff != "" {
					t.Errorf("import %d (-want +got):\n%s", i+1, diff)
				}
				if files.puts != 3 {
					t.Errorf("import %d: %d files were put, want 3", i+1, files.puts)
				}
			}
			// A later edition adds a file after the existing ones. A file that its author
			// removed stays away.
			if _, err := pool.Exec(t.Context(), `delete from attachments where file_name = 'boat.jpg' and post_id is not null`); err != nil {
				t.Fatal(err)
			}
			later := withFiles + `{"type":"file","id":"f3","post":"p1","path":"more.pdf","alt":"","at":"2015-05-28T08:30:02Z"}` + "\n"
			if _, err := takeFiles(t, pool, files, later, batch); err != nil {
				t.Fatal(err)
			}
			want = slices.Insert(want[1:], 1, "anna post 2 more.pdf '' queued 8 2015-05-28 08:30:02")
			if diff := cmp.Diff(want, attached(t, pool)); diff != "" {
				t.Errorf("a later edition (-want +got):\n%s", diff)
			}
			checkPrimary(t, pool)
		})
	}
}

func TestFilesOfDeletedPostsAreSkipped(t *testing.T) {
	t.Parallel()
	pool, files := pgtest.New(t), &shelf{there: []string{"a/boat.jpg", "oar.jpg"}}
	importFile(t, pool, []byte(good), 0)
	store := timeline.New(pool, timeline.Options{})
	var author timeline.UserID
	var post timeline.PostID
	if err := pool.QueryRow(t.Context(), `select user_id, id from posts`).Scan(&author, &post); err != nil {
		t.Fatal(err)
	}
	if err := store.DeletePost(t.Context(), author, post); err != nil {
		t.Fatal(err)
	}
	report, err := importer.Import(t.Context(), pool, strings.NewReader(withFiles), importer.Options{Source: sample.Source, Files: files})
	if err != nil {
		t.Fatal(err)
	}
	if report.Files.Skipped != 2 || report.CommentFiles.Skipped != 1 || len(attached(t, pool)) != 0 {
		t.Errorf("%+v, %+v, %q", report.Files, report.CommentFiles, attached(t, pool))
	}
}

// A sweep may remove a file between its copy and the lock of its name. Then the importer copies
// the file again.
func TestFileThatIsSweptIsKeptAgain(t *testing.T) {
	t.Parallel()
	pool, files := pgtest.New(t), &shelf{there: []string{"a/boat.jpg", "oar.jpg"}, swept: 1}
	if _, err := takeFiles(t, pool, files, withFiles, 0); err != nil {
		t.Fatal(err)
	}
	if n := len(attached(t, pool)); n != 3 || files.puts != 6 {
		t.Errorf("%d attachments, %d files put; want 3 of the second try, 6", n, files.puts)
	}
}

func TestBadFiles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, line, want string }{
		{"a missing file", `{"type":"file","id":"f9","post":"p1","path":"none.jpg","alt":"",` + at + `}`, `there is no file "none.jpg"`},
		{"a large file", `{"type":"file","id":"f9","post":"p1","path":"large.jpg","alt":"",` + at + `}`, `file "large.jpg": it is too large`},
		{"a folder above", `{"type":"file","id":"f9","post":"p1","path":"../a.jpg","alt":"",` + at + `}`, `bad path "../a.jpg"`},
		{"an absolute path", `{"type":"file","id":"f9","post":"p1","path":"/etc/passwd","alt":"",` + at + `}`, `bad path "/etc/passwd"`},
		{"no path", `{"type":"file","id":"f9","post":"p1","path":"","alt":"",` + at + `}`, `bad path ""`},
		{"no description", `{"type":"file","id":"f9","post":"p1","path":"oar.jpg",` + at + `}`, `"alt" is missing`},
		{"a long description", `{"type":"file","id":"f9","post":"p1","path":"oar.jpg","alt":"` + strings.Repeat("ж", 1001) + `",` + at + `}`, `"alt" has 1001 characters`},
		{"a post that is not there", `{"type":"file","id":"f9","post":"p9","path":"oar.jpg","alt":"",` + at + `}`, `no post "p9" comes before it`},
		{"a comment that is not there", `{"type":"comment_file","id":"f9","comment":"p1","path":"oar.jpg","alt":"",` + at + `}`, `no comment "p1" comes before it`},
		{"another file of the id", `{"type":"file","id":"f1","post":"p1","path":"oar.jpg","alt":"",` + at + `}`, `file "f1" is on line 6 already`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.New(t)
			_, err := takeFiles(t, pool, &shelf{there: []string{"a/boat.jpg", "oar.jpg"}}, withFiles+tt.line+"\n", 0)
			if err == nil || !strings.Contains(err.Error(), "line 9: ") || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want line 9: %s", err, tt.want)
			}
			if n := len(attached(t, pool)); n != 0 {
				t.Errorf("%d attachments of a batch that was refused", n)
			}
		})
	}
}

func TestImportWithoutFilesRefusesThem(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	if bad := refuseFile(t, pool, []byte(withFiles), 0); bad.Line != 6 || !strings.Contains(bad.Reason, "takes no files") {
		t.Errorf("%v", bad)
	}
}

// TestManyFilesAreImportedInSmallBatches imports more files than one batch may lock.
func TestManyFilesAreImportedInSmallBatches(t *testing.T) {
	t.Parallel()
	pool, files := pgtest.New(t), &shelf{}
	var lines bytes.Buffer
	lines.WriteString(good)
	for i := range 450 {
		path := fmt.Sprintf("%d.jpg", i)
		files.there = append(files.there, path)
		fmt.Fprintf(&lines, `{"type":"file","id":"m%d","post":"p1","path":%q,"alt":"",%s}`+"\n", i, path, at)
	}
	batches := 0
	report, err := importer.Import(t.Context(), pool, &lines, importer.Options{Source: "town", Files: files, Progress: func(importer.Progress) { batches++ }})
	if err != nil || report.Files.New != 450 || batches != 3 {
		t.Errorf("%v, %+v in %d batches, want 450 in 3", err, report.Files, batches)
	}
}
