package importer

import (
	"bytes"
	"compress/gzip"
	"errors"
	"hash/maphash"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/sample"
)

// founded has lines to which other lines can refer.
const founded = `{"type":"user","name":"anna","display_name":"Anna","status":"public","at":"2015-05-28T08:00:00Z"}
{"type":"user","name":"boris","display_name":"Boris","status":"private","at":"2015-05-28T08:00:00Z"}
{"type":"group","name":"bridges","display_name":"Bridges","status":"public","admins":["anna"],"at":"2015-05-28T08:00:00Z"}
{"type":"post","id":"p1","author":"anna","to":["anna"],"text":"Hello","at":"2015-05-28T08:30:00Z"}
{"type":"comment","id":"c1","post":"p1","author":"boris","text":"Hi","at":"2015-05-28T08:31:00Z"}
`

// lines returns lines that can be imported after founded, and others that can't.
func lines() []string {
	const at = `"at":"2015-05-28T09:00:00Z"}`
	return []string{
		"", "\n", "{}", "null", `{"type":"like","user":"boris","post":"p1",` + at, `{"type":"like","user":"boris","post":"p1\u0000",` + at, `{"type":"like","user":"bo\u0000ris","post":"p1",` + at,
		`{"type":"post","id":"p2","author":"anna","to":["bridges","anna"],"text":"#a @boris http://x.y",` + at, `{"type":"post","id":"p2","author":"anna","to":["direct:boris"],"text":"x",` + at,
		`{"type":"post","id":"p2","author":"anna","to":["anna","an\u0000na"],"text":"x",` + at, `{"type":"post","id":"p2","author":"anna","to":["private:anna","anna"],"text":"x",` + at, `{"type":"post","id":"p2","author":"anna","to":["fyeo:anna"],"text":"x",` + at, `{"type":"post","id":"p2","author":"anna","to":["fyeo:","private:direct:anna"],"text":"x",` + at, `{"type":"post","id":"p2","author":"anna","to":["direct:\u0000"],"text":"x",` + at,
		`{"type":"post","id":"p2","author":"anna","to":["anna","anna"],"text":"x",` + at, `{"type":"post","id":"p2","author":"anna","to":["direct:"],"text":"x",` + at, `{"type":"post","id":"p2","author":"anna","to":["","a:b:c"],"text":"x",` + at,
		`{"type":"group","name":"walks","display_name":"W","status":"private","admins":["anna","boris","anna"],` + at, `{"type":"group","name":"walks","display_name":"W","status":"private","admins":["a\u0000"],` + at,
		`{"type":"subscription","user":"boris","target":"anna",` + at, `{"type":"subscription","user":"boris","target":"\u0000",` + at, `{"type":"ban","user":"boris","target":"anna",` + at, `{"type":"ban","user":"\u0000","target":"anna",` + at,
		`{"type":"comment","id":"c2","post":"p1","author":"anna","text":"` + strings.Repeat("\\u0416", 3000) + `",` + at, `{"type":"comment","id":"c\u0000","post":"p1","author":"anna","text":"x",` + at,
		`{"type":"comment_like","user":"anna","comment":"c1",` + at, `{"type":"comment_like","user":"anna","comment":"c1\u0000",` + at, `{"type":"user","name":"chloe","display_name":"C\u202e","status":"protected",` + at,
		`{"type":"comment","id":"c2","post":"p1","author":"anna","text":"a\r\nb\rc\r\n",` + at, `{"type":"like","user":"boris","post":"p1","at":"1970-01-02T00:00:00Z"}`, `{"type":"like","user":"boris","post":"p1","at":"2067-12-31T23:59:59.9999Z"}`,
		`{"type":"file","id":"f1","post":"p1","path":"a/b.jpg","alt":"",` + at, `{"type":"comment_file","id":"f2","comment":"c1","path":"b.jpg","alt":"a\u0000",` + at,
		`{"type":"file","id":"f1","post":"p1","path":"../b.jpg","alt":"x",` + at, `{"type":"comment_file","id":"f2","comment":"p1","path":"/","alt":"",` + at,
		`{"type":"like","user":"boris","post":"p1","at":"2015-05-28T09:00:00,5Z"}`, `{"type":"post","id":"` + strings.Repeat("x", 200) + `","author":"anna","to":["anna"],"text":"x",` + at,
		`{"type":"post","id":"a b","author":"anna","to":["anna"],"text":"x",` + at + "\n" + `{"type":"like","user":"boris","post":"a b",` + at, strings.Repeat(" ", 100), "\x1f\x8b", strings.Repeat("[", 1000),
	}
}

// FuzzFile: an import takes a file, or refuses it with the number of the bad line and a reason. The error
// never comes from PostgreSQL, whose message could not have the number of the line.
func FuzzFile(f *testing.F) {
	if testing.Short() {
		f.Skip("takes long")
	}
	for _, text := range lines() {
		f.Add([]byte(text))
	}
	for line := range bytes.Lines(sample.Bytes()) {
		f.Add(line)
	}
	pool := pgtest.New(f)
	f.Fuzz(func(t *testing.T, more []byte) {
		file := append([]byte(founded), more...)
		r := &reader{5000, &countingReader{reader: bytes.NewReader(file)}, maphash.MakeSeed(), make(map[string]firstLine)}
		var all []*line
		if err := r.batches(func(b batch) bool { all = append(all, b.lines...); return true }); !errors.Is(err, io.EOF) {
			refused(t, err, bytes.Count(file, []byte("\n"))+1)
			return
		}
		for _, l := range all {
			if len(l.text) > len(file) && !utf8.ValidString(l.text) || l.at.Before(earliest) || !l.at.Before(latest) || l.at.Location() != time.UTC {
				t.Fatalf("%+v", l)
			}
		}
		tx, err := pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback(t.Context()) }() // the next file starts afresh
		if err := newBatchTx(tx, &writer{source: "fuzz", granted: make(map[pair]bool)}, all, nil).run(t.Context()); err != nil {
			refused(t, err, len(all))
		}
	})
}

// refused fails the test unless the error names a line of the file and the line's fault.
func refused(t *testing.T, err error, most int) {
	t.Helper()
	bad, is := errors.AsType[*LineError](err)
	if !is || bad.Line < 1 || bad.Line > most || bad.Reason == "" || !utf8.ValidString(bad.Reason) || strings.ContainsAny(bad.Reason, "\n\x00") || len(bad.Reason) > 2000 {
		t.Fatalf("of %d lines: %v", most, err)
	}
}

// FuzzGzip: the importer reads or refuses a file that is compressed, or looks as if it were. It holds at
// most one line in memory.
func FuzzGzip(f *testing.F) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(founded)) // writing into memory does not fail
	if err := z.Close(); err != nil {
		f.Fatal(err)
	}
	for _, file := range [][]byte{nil, {0x1f}, {0x1f, 0x8b}, packed.Bytes(), packed.Bytes()[:packed.Len()/2], append(bytes.Clone(packed.Bytes()), packed.Bytes()...), append(bytes.Clone(packed.Bytes()), "more"...)} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		r := &reader{2, &countingReader{reader: bytes.NewReader(file)}, maphash.MakeSeed(), make(map[string]firstLine)}
		lines := 0
		err := r.batches(func(b batch) bool { lines += len(b.lines); return true })
		if err == nil {
			t.Fatal("it does not end")
		}
		if errors.Is(err, io.EOF) && lines > 0 && r.input.n == 0 {
			t.Errorf("%d lines of nothing", lines)
		}
	})
}
