package river

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"amstel.dev/amstel/timeline"
)

// furnished is the river DB of a node that holds some of everything: rivers of all
// sorts, folds of a viewer's own, tombstones, marks, jobs.
func furnished(t testing.TB) []byte {
	t.Helper()
	p := newTestSite(t, "ann", "bob", "eve")
	p.follow("bob", "ann")
	_, err := p.store.CreateGroup(t.Context(), p.user("ann"), timeline.NewGroup{Name: "rowing"})
	p.must(err)
	first := p.post("ann", "a red boat, @bob #amstel")
	p.post("ann", "for rowers", "group:rowing")
	p.post("ann", "for friends", "user_private")
	p.post("bob", "psst", "direct:ann")
	for i := range 6 {
		p.comment([]string{"bob", "eve"}[i%2], first, fmt.Sprintf("comment %d about boats", i))
	}
	p.like("bob", first)
	p.like("eve", first)
	p.must(p.store.Ban(t.Context(), p.user("eve"), "bob"))
	gone := p.post("bob", "gone soon")
	for _, who := range []string{"", "ann", "bob", "eve"} {
		viewer := p.user(who)
		for _, key := range []Key{
			{viewer, KindHome, int64(viewer), ""}, {viewer, KindUser, int64(p.user("ann")), ""}, {viewer, KindEverything, 0, ""}, {viewer, KindPost, int64(first), ""},
			{viewer, KindDirects, int64(viewer), ""}, {viewer, KindSearch, 0, "boat"}, {viewer, KindDay, int64(p.user("ann")), "2026-11"}, {viewer, KindMentions, int64(viewer), ""},
		} {
			_, _ = p.node.Visit(t.Context(), key, At{}) // some may not
		}
	}
	p.must(p.store.DeletePost(t.Context(), p.user("bob"), gone))
	p.sync()
	p.stop()
	db, err := sql.Open("sqlite3", "file:"+p.path+"?_txlock=immediate")
	p.must(err)
	for _, extra := range []string{ // rows that turns leave only now and then
		`insert or ignore into marks select river_id, post_id from entries limit 3`,
		`insert or ignore into jobs values (1, 'sweep', 1, 1, 4611686018427387903, 4611686018427387903)`,
		`pragma wal_checkpoint(truncate)`,
	} {
		_, err := db.Exec(extra)
		p.must(err)
	}
	p.must(db.Close())
	whole, err := os.ReadFile(p.path)
	p.must(err)
	return whole
}

// cells returns the columns that the fuzz test may damage, as "table.column", sorted.
func cells(t testing.TB, path string) (all []string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`select m.name || '.' || c.name from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' and m.name not like 'sqlite%' order by 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var cell string
		if err := rows.Scan(&cell); err != nil {
			t.Fatal(err)
		}
		all = append(all, cell)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// shown composes all rivers of a state for their viewers.
func (st *state) shown() {
	for _, rv := range st.rivers {
		if mayOpen(st, rv) != nil {
			continue
		}
		at := At{Count: 100}
		v, _ := st.view(rv, at)
		p, c := st.patch(rv, 0)
		st.ops(rv, p, c, windowOf(rv, at, v), timeline.Top, 0)
		have := []Have{{1, "x"}}
		for _, e := range rv.order {
			have = append(have, Have{e.post.facts.ID, "x"})
		}
		w, _ := st.resumedWindow(rv, Resume{At: at, Have: have})
		st.differences(rv, p, c, w, have)
		for _, e := range slices.Clone(rv.order) {
			decide(st, rv, e.post.facts)
			rv.remove(e)
		}
	}
}

// FuzzRiverDBCell puts noise into one cell of a river DB. Either the file fails to load, or the
// loaded state is consistent and can be shown. It shows no post that its viewer could not read
// before, because the access checks run again on each showing.
func FuzzRiverDBCell(f *testing.F) {
	long(f)
	whole := furnished(f)
	path := filepath.Join(f.TempDir(), "template.db")
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		f.Fatal(err)
	}
	columns := cells(f, path)
	for i := range columns {
		for _, noise := range []string{"", "null", "{}", "[]", "[null]", "7", `"x"`, `{"ID":5}`, "\x00\xff", "hello"} {
			f.Add(uint(i), uint(0), noise)
		}
		for _, noise := range []string{"0", "-1", "9223372036854775807", "-9223372036854775808", "1"} {
			f.Add(uint(i), uint(1), noise)
		}
	}
	for i, cell := range columns {
		switch cell {
		case "folds.facts":
			f.Add(uint(i), uint(0), `{"ID":1,"In":[1,2],"Entered":[1]}`)
			f.Add(uint(i), uint(0), `{"Ranks":[1]}`)
			f.Add(uint(i), uint(0), `{"Places":[1,2,3],"Likers":[9,3,1],"Author":-1}`)
		case "folds.comments_folded", "comment_folds.json":
			f.Add(uint(i), uint(0), `{"comments":[{}],"count":-1,"gap":7}`)
		case "entries.per_river_folded":
			f.Add(uint(i), uint(0), `{"reasons":{"nothing":[1]},"without":[1]}`)
		case "sets.json":
			f.Add(uint(i), uint(0), `{"user":2,"lists":[{"id":1},{"id":1}]}`)
		}
	}
	db, err := openRiverDB(f.Context(), path)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = db.close(false) })
	f.Fuzz(func(t *testing.T, column, row uint, noise string) {
		tx, err := db.db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }() // the next check reads the whole file
		table, name, _ := strings.Cut(columns[column%uint(len(columns))], ".")
		if !overwrite(t, tx, table, name, row, noise) {
			return // the river DB is as before
		}
		st, err := load(t.Context(), tx)
		switch {
		case errors.Is(err, errRiverDB):
			return
		case err != nil:
			t.Fatalf("%s.%s = %q: %v does not throw it away", table, name, noise, err)
		}
		if st.validate() != nil {
			return
		}
		st.site = timeline.DefaultSite()
		st.shown()
	})
}

// overwrite puts noise into a row of a table, and reports whether SQLite took the noise: tables
// are strict, so a column of numbers takes no text.
func overwrite(t *testing.T, tx *sql.Tx, table, column string, row uint, noise string) bool {
	t.Helper()
	var rows uint
	if err := tx.QueryRow(`select count(*) from ` + table).Scan(&rows); err != nil || rows == 0 {
		return false
	}
	var key string // the columns that identify a row, with or without a rowid
	if err := tx.QueryRow(`select group_concat(name) from pragma_table_info(?) where pk > 0`, table).Scan(&key); err != nil {
		t.Fatal(err)
	}
	update := fmt.Sprintf(`update or ignore %[1]s set %[2]s = ? where (%[3]s) = (select %[3]s from %[1]s order by %[3]s limit 1 offset %[4]d)`, table, column, key, row%rows)
	result, err := tx.Exec(update, noise)
	if err != nil {
		return false
	}
	n, err := result.RowsAffected()
	return err == nil && n > 0
}

// FuzzRiverDBFile puts noise into the file itself, or truncates it. The node discards the file,
// or loads a consistent state from it.
func FuzzRiverDBFile(f *testing.F) {
	long(f)
	whole := furnished(f)
	for _, at := range []int{0, 16, 18, 24, 28, 44, 56, 60, 92, 96, 100, 108, 4096, 8192, len(whole) / 2, len(whole) - 10} {
		f.Add(uint(at), []byte{0xff, 0, 1}, false)
		f.Add(uint(at), []byte{}, true)
	}
	f.Add(uint(1), []byte("SQLite format 4"), true)
	n := 0
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, at uint, noise []byte, cut bool) {
		n++
		path := filepath.Join(dir, fmt.Sprintf("%d.db", n%8))
		for _, suffix := range []string{"-wal", "-shm"} {
			if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		spoilt := slices.Clone(whole)
		place := int(at % uint(len(whole)))
		copy(spoilt[place:], noise)
		if cut {
			spoilt = spoilt[:min(place+len(noise), len(spoilt))]
		}
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := openRiverDB(t.Context(), path)
		if err != nil {
			t.Fatalf("it is not even thrown away: %v", err)
		}
		defer func() { _ = db.close(false) }()
		st, err := db.load(t.Context())
		switch {
		case errors.Is(err, errRiverDB):
			if db, err = db.recreate(t.Context()); err != nil {
				t.Fatalf("no new one can be made: %v", err)
			}
			return
		case err != nil:
			t.Fatalf("%v does not throw it away", err)
		}
		if st.validate() != nil {
			return
		}
		st.site = timeline.DefaultSite()
		st.shown()
	})
}

// TestValidateAcceptsTheStateOfANode: the river DB of a stopped node is valid, and loads.
func TestValidateAcceptsTheStateOfANode(t *testing.T) {
	long(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "river.db")
	if err := os.WriteFile(path, furnished(t), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := openRiverDB(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.close(false) }()
	begin := time.Now()
	st, err := db.load(t.Context())
	if err != nil || len(st.rivers) < 10 || len(st.held) < 4 || len(st.jobs) != 1 {
		t.Fatalf("%d rivers, %d posts, %d jobs, %v", len(st.rivers), len(st.held), len(st.jobs), err)
	}
	if err := st.validate(); err != nil {
		t.Errorf("%v (after %v)", err, time.Since(begin))
	}
}
