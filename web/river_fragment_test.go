package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/river"
	"amstel.dev/amstel/timeline"
)

// In all tests of this package, a kept entry that differs from a new drawing ends the tests. A panic would only
// put the post into quarantine.
func init() {
	verifyFragment = func(kept string, draw func() string) {
		if fresh := draw(); fresh != kept {
			fmt.Fprintf(os.Stderr, "a kept entry differs from a new drawing:\n%s\n%s\n", kept, fresh)
			os.Exit(1)
		}
	}
}

// TestFragmentIsKeptWhileNothingOfItChanges gets the same entry again, each time with one thing changed, on which the
// fragment depends.
func TestFragmentIsKeptWhileNothingOfItChanges(t *testing.T) {
	t.Parallel()
	h := newFragments(1 << 20)
	sets := &timeline.Sets{User: 1}
	view := func(change ...func(*river.View)) *river.View {
		v := &river.View{
			Key: river.Key{Viewer: 1, What: river.KindHome}, Live: true, Sets: sets,
			Entries: []river.Entry{{Fold: &timeline.Fold{Post: 7, Version: 1}, Tag: "tag"}},
		}
		for _, one := range change {
			one(v)
		}
		return v
	}
	drawings := 0
	draw := func() string {
		drawings++
		return "an entry"
	}
	get := func(v *river.View, form string) *fragment {
		f := h.get(v, &v.Entries[0], form, draw)
		drawings-- // by verifyFragment, or the only one
		return f
	}
	first := get(view(), "json")
	if again := get(view(), "json"); again != first || drawings != 0 {
		t.Errorf("the same entry was drawn %d times more", drawings)
	}
	for name, change := range map[string]func(*river.View){
		"tag":               func(v *river.View) { v.Entries[0].Tag = "other" },
		"version":           func(v *river.View) { v.Entries[0].Fold.Version = 2 },
		"comments' version": func(v *river.View) { v.Entries[0].Fold.Text.CommentsVersion = 2 },
		"time":              func(v *river.View) { v.Entries[0].Fold.Text.FreshAt = 2 },
		"place":             func(v *river.View) { v.Entries[0].Cursor.FreshAt = 2 },
		"points":            func(v *river.View) { v.Entries[0].Points = 2 },
		"sets":              func(v *river.View) { v.Sets = &timeline.Sets{User: 1} },
		"river":             func(v *river.View) { v.Key.What = river.KindDirects },
		"no tag":            func(v *river.View) { v.Entries[0].Tag = "" },
		"not live":          func(v *river.View) { v.Live = false },
	} {
		held := get(view(), "json")
		if got := get(view(change), "json"); got == held || got.serial == held.serial && got.serial != 0 {
			t.Errorf("%s: the fragment of another state was served", name)
		}
	}
	if got := get(view(), "html"); got == get(view(), "json") {
		t.Error("HTML was served as JSON")
	}
}

// TestBodyInPiecesIsTheSamePacked packs bodies with runs several times.
func TestBodyInPiecesIsTheSamePacked(t *testing.T) {
	t.Parallel()
	p := newPacker(1 << 20)
	fragmentOf := func(text string) *fragment { return &fragment{text: text, serial: lastSerial.Add(1)} }
	var entries []*fragment
	for _, text := range []string{"", "one", strings.Repeat("two ", 30_000), "<three>"} {
		entries = append(entries, fragmentOf(text))
	}
	run := func(separator string, f ...*fragment) piece { return piece{run: run{f, separator}} }
	for name, pieces := range map[string][]piece{
		"nothing":                        nil,
		"bytes alone":                    {{bytes: []byte("page")}},
		"a run alone":                    {run("", entries...)},
		"a run between bytes":            {{bytes: []byte("begin")}, run(",", entries...), {bytes: []byte("end")}},
		"the same run without separator": {{bytes: []byte("begin")}, run("", entries...), {bytes: []byte("end")}},
		"two runs":                       {run("", entries[1]), run(",", entries[2], entries[1]), {bytes: []byte{}}},
	} {
		want := string(wholeBody(pieces))
		lengths := map[int]bool{}
		kept := p.packPieces(pieces)
		for i := range 40 {
			var packed bytes.Buffer
			p.pack(&packed, pieces, [][]packedPiece{nil, kept}[i%2])
			lengths[packed.Len()] = true
			z, err := gzip.NewReader(&packed)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := io.ReadAll(z)
			if string(got) != want || err != nil {
				t.Fatalf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
			}
		}
		if len(lengths) < 3 {
			t.Errorf("%s: forty answers have %d lengths, so the length tells how well the page compresses", name, len(lengths))
		}
	}
	held := p.kept.Bytes()
	if held == 0 {
		t.Error("no run is kept")
	}
	p.pack(new(bytes.Buffer), []piece{run("", entries[1], &fragment{text: "of a page that no river holds"})}, nil)
	if p.kept.Bytes() != held {
		t.Error("a run that can't come again is kept")
	}
}

// TestUUIDIsAnotherOneInEachBody sends the same pieces twice, plain and packed.
func TestUUIDIsAnotherOneInEachBody(t *testing.T) {
	t.Parallel()
	p := newPacker(1 << 20)
	pieces := []piece{{bytes: []byte("a form ")}, {uuid: true}, {bytes: []byte(" ends")}}
	kept := p.packPieces(pieces)
	seen := map[string]bool{}
	for i := range 4 {
		body := string(wholeBody(pieces))
		if i%2 == 1 {
			var packed bytes.Buffer
			p.pack(&packed, pieces, kept)
			z, err := gzip.NewReader(&packed)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			body = string(whole)
		}
		if len(body) != pieces[0].size()+pieces[1].size()+pieces[2].size() || !strings.HasPrefix(body, "a form ") || !strings.HasSuffix(body, " ends") {
			t.Errorf("the body is %q", body)
		}
		seen[body] = true
	}
	if len(seen) != 4 {
		t.Errorf("four bodies have %d UUIDs", len(seen))
	}
}

func TestMarksBecomeRuns(t *testing.T) {
	t.Parallel()
	m := newMarks()
	uuid := m.addUUID()
	one, two, three := m.add(&fragment{text: "1"}), m.add(&fragment{text: "2"}), m.add(&fragment{text: "3"})
	for body, want := range map[string][]string{
		"no mark":                              {"no mark"},
		"a" + one + two + "b":                  {"a", "1|2", "b"},
		one + "," + two + "," + three:          {"1,2,3", ""},
		"[" + one + "," + two + "]" + one:      {"[", "1,2", "]", "1", ""},
		one + two + "," + three + "1000":       {"1|2", ",", "3", "1000"},
		one + "<hr>" + two:                     {"1", "<hr>", "2", ""},
		"=" + uuid + one + two + "b" + uuid:    {"=", "UUID", "1|2", "b", "UUID", ""},
		m.begin[1:] + "1000" + one + " " + two: {m.begin[1:] + "1000", "1 2", ""},
	} {
		var got []string
		for _, p := range m.pieces([]byte(body)) {
			text := string(p.bytes)
			if p.uuid {
				text = "UUID"
			}
			for i, f := range p.run.fragments {
				if i > 0 {
					text += p.run.separator
					if p.run.separator == "" {
						text += "|"
					}
				}
				text += f.text
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", body, diff)
		}
	}
}
