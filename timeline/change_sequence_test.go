package timeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"amstel.dev/amstel/internal/pgserver"
	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
)

func TestSequence(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	if head, err := s.Sequence(ctx); err != nil || head != 0 {
		t.Errorf("the head of an empty log is %d, %v", head, err)
	}
	const rows = 2500 // more than one call of the function assigns
	err := s.write(ctx, func(tx *txn) error {
		for i := range rows {
			tx.Note(Change{Kind: ChangePost, Post: PostID(i + 1), Timelines: []TimelineID{7}, PlaceChanged: true})
		}
		tx.Note(Change{Kind: ChangeSession, User: s.user("anna"), Token: []byte("hash")}, Change{Kind: ChangeCard, Group: 3})
		return nil
	})
	s.must(err)
	if head, err := s.Sequence(ctx); err != nil || head != rows+2 {
		t.Errorf("the head is %d, %v; want %d", head, err, rows+2)
	}
	if n := one[int](s, `select count(*) from changes`); n != 0 {
		t.Errorf("%d changes have no position", n)
	}
	if n := one[int](s, `select count(*) from change_log where post_id is distinct from nullif(position, $1 + 1) and position <= $1`, rows); n != 0 {
		t.Errorf("%d rows are out of order", n)
	}
	if n := one[int](s, `
		select count(*) from change_log where kind = 'post' and timelines = '{7}' and moved and token is null
			or kind = 'session' and user_id > 0 and token = 'hash' or kind = 'card' and group_id = 3 and post_id is null`); n != rows+2 {
		t.Errorf("%d of %d rows say what was noted", n, rows+2)
	}
}

// A mark is one change of the fire: its number, the thing it changed, and how many changes of
// the thing came before. Several writers change each thing in turn.
type mark struct {
	Position int64
	ID       int64
	Thing    int64 // 0: the change is not of a thing
	Step     int64
}

// A tail reads the changes after its last read.
type tail func(ctx context.Context, conn *pgx.Conn, last int64) ([]mark, error)

func collectMarks(ctx context.Context, conn *pgx.Conn, query string, last int64) ([]mark, error) {
	rows, err := conn.Query(ctx, query, last)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[mark])
}

// followLog follows the log as readers should.
func followLog(ctx context.Context, conn *pgx.Conn, last int64) ([]mark, error) {
	const query = `select position, post_id, coalesce(user_id, 0), coalesce(group_id, 0) from change_log where position > $1 order by position`
	return collectMarks(ctx, conn, query, last)
}

// followIDs follows a sequence of ids, as a naive reader would.
func followIDs(ctx context.Context, conn *pgx.Conn, last int64) ([]mark, error) {
	const query = `select id, mark, thing, step from written where id > $1 order by id`
	return collectMarks(ctx, conn, query, last)
}

// A fire is the storm: writers that roll back, wait and lose their connections, sequencers that
// lose their connections, a server that crashes, and a tail.
type fire struct {
	t        *testing.T
	server   *pgserver.Server
	progress chan struct{} // has a value when a transaction has ended
	done     chan struct{} // closed when all writers have ended

	mu        sync.Mutex
	committed []int64 // ids of changes that were certainly committed
	undone    []int64 // ids of changes that were certainly rolled back
	kills     int
	refused   int // how many times a connection broke
}

const (
	fireWriters = 8
	fireRounds  = 80
	fireThings  = 3
)

func (f *fire) url(name string) string { return f.server.URL() + " application_name=" + name }

// connect connects to the server, and waits while the server is down.
func (f *fire) connect(ctx context.Context, name string) (*pgx.Conn, error) {
	for {
		conn, err := pgx.Connect(ctx, f.url(name))
		if err == nil || ctx.Err() != nil {
			return conn, err
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// write is the writer with this number. It makes fireRounds transactions, of one to three changes each.
func (f *fire) write(ctx context.Context, number int) {
	random := rand.New(rand.NewPCG(7, uint64(number)))
	var conn *pgx.Conn
	defer func() {
		if conn != nil {
			_ = conn.Close(context.WithoutCancel(ctx))
		}
	}()
	for round := range fireRounds {
		if conn == nil || conn.IsClosed() {
			var err error
			if conn, err = f.connect(ctx, "writer"); err != nil {
				f.t.Errorf("writer %d: %v", number, err)
				return
			}
		}
		var ids []int64
		for i := range 1 + random.IntN(3) {
			ids = append(ids, int64(number*1_000_000+round*10+i+1))
		}
		thing := int64(random.IntN(2 * fireThings)) // beyond fireThings: none
		if thing > fireThings {
			thing = 0
		}
		f.transaction(ctx, conn, ids, thing, random)
		f.progress <- struct{}{}
	}
}

// logChange appends a change to the log of a transaction.
func logChange(ctx context.Context, tx pgx.Tx, c Change) error {
	var b pgx.Batch
	c.Log(&b)
	return tx.SendBatch(ctx, &b).Close()
}

func (f *fire) transaction(ctx context.Context, conn *pgx.Conn, ids []int64, thing int64, random *rand.Rand) {
	const step = `update things set step = step + 1 where id = $1 returning step`
	const write = `insert into written (mark, thing, step) values ($1, $2, $3)`
	const hold = `select pg_sleep($1)` // so that transactions end in another order than they begin
	tx, err := conn.Begin(ctx)
	if err != nil {
		f.note(&f.undone, ids, true)
		return
	}
	err = func() error {
		for _, id := range ids {
			var n int64
			if thing != 0 {
				if err := tx.QueryRow(ctx, step, thing).Scan(&n); err != nil {
					return err
				}
			}
			if _, err := tx.Exec(ctx, write, id, thing, n); err != nil {
				return err
			}
			// For the log the three columns are plain numbers.
			c := Change{Kind: ChangePost, Post: PostID(id), User: UserID(thing), Group: GroupID(n)}
			if err := logChange(ctx, tx, c); err != nil {
				return err
			}
			if random.IntN(3) == 0 {
				if _, err := tx.Exec(ctx, hold, random.Float64()*0.003); err != nil {
					return err
				}
			}
		}
		return nil
	}()
	if err != nil || random.IntN(5) == 0 {
		_ = tx.Rollback(ctx)
		f.note(&f.undone, ids, err != nil)
		return
	}
	if err := tx.Commit(ctx); err != nil {
		f.note(nil, nil, true) // the commit may have succeeded, or not
		return
	}
	f.note(&f.committed, ids, false)
}

func (f *fire) note(list *[]int64, ids []int64, broke bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if list != nil {
		*list = append(*list, ids...)
	}
	if broke {
		f.refused++
	}
}

// kill kills connections of writers and sequencers as long as the writers work, and once, half-way, the
// server.
func (f *fire) kill(ctx context.Context) {
	const terminate = `
		select count(pg_terminate_backend(pid)) from (
			select pid from pg_stat_activity where application_name in ('writer', 'sequencer') order by random() limit 1) as victim`
	conn, err := f.connect(ctx, "killer")
	if err != nil {
		f.t.Error(err)
		return
	}
	ended := 0
	for range f.progress {
		if ended++; ended == fireWriters*fireRounds/2 {
			_ = conn.Close(ctx)
			if err := f.server.Kill(); err != nil {
				f.t.Error(err)
			}
			if err := f.server.Restart(ctx); err != nil {
				f.t.Error(err)
			}
			if conn, err = f.connect(ctx, "killer"); err != nil {
				f.t.Error(err)
				return
			}
		}
		if ended%8 == 0 {
			if _, err := conn.Exec(ctx, terminate); err != nil {
				f.t.Errorf("kill a backend: %v", err)
			}
			f.kills++
		}
	}
	_ = conn.Close(ctx)
}

// sequence runs the sequencer until the writers are done.
func (f *fire) sequence(ctx context.Context) {
	pool, err := pgxpool.New(ctx, f.url("sequencer")+" pool_max_conns=1")
	if err != nil {
		f.t.Error(err)
		return
	}
	defer pool.Close()
	store := New(pool, Options{})
	for {
		select {
		case <-f.done:
			return
		default:
		}
		if _, err := store.Sequence(ctx); err != nil && !errors.Is(err, ErrUnavailable) {
			f.t.Errorf("sequencer: %v", err)
		}
	}
}

// follow reads with the tail until the writers are done, and once more after the rest has
// been sequenced.
func (f *fire) follow(ctx context.Context, read tail, seen []mark, sequenced <-chan struct{}) []mark {
	conn, err := f.connect(ctx, "tail")
	if err != nil {
		f.t.Error(err)
		return nil
	}
	defer func() { _ = conn.Close(ctx) }()
	for last := false; ; {
		if conn.IsClosed() {
			if conn, err = f.connect(ctx, "tail"); err != nil {
				f.t.Error(err)
				return nil
			}
		}
		after := int64(0)
		if len(seen) > 0 {
			after = seen[len(seen)-1].Position
		}
		more, err := read(ctx, conn, after)
		seen = append(seen, more...)
		if last && err == nil {
			return seen
		}
		select {
		case <-sequenced:
			last = true
		default:
		}
	}
}

// overtake makes the interleaving that breaks a reader of ids: the transaction that begins first
// commits last. It returns what the tail read between the two commits.
func (f *fire) overtake(ctx context.Context, store *Store, read tail) []mark {
	begin := func(id int64) (pgx.Tx, *pgx.Conn) {
		conn, err := f.connect(ctx, "overtaker")
		if err != nil {
			f.t.Fatal(err)
		}
		tx, err := conn.Begin(ctx)
		if err == nil {
			_, err = tx.Exec(ctx, `insert into written (mark, thing, step) values ($1, 0, 0)`, id)
		}
		if err == nil {
			err = logChange(ctx, tx, Change{Kind: ChangePost, Post: PostID(id)})
		}
		if err != nil {
			f.t.Fatal(err)
		}
		return tx, conn
	}
	commit := func(tx pgx.Tx, conn *pgx.Conn, id int64) {
		if err := errors.Join(tx.Commit(ctx), conn.Close(ctx)); err != nil {
			f.t.Fatal(err)
		}
		f.committed = append(f.committed, id)
	}
	first, its := begin(1)
	second, other := begin(2)
	commit(second, other, 2)
	if _, err := store.Sequence(ctx); err != nil {
		f.t.Fatal(err)
	}
	conn, err := f.connect(ctx, "tail")
	if err != nil {
		f.t.Fatal(err)
	}
	seen, err := read(ctx, conn, 0)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		f.t.Fatal(err)
	}
	commit(first, its, 1)
	return seen
}

// underFire runs the fire, and returns the faults in the changes that the tail saw.
func underFire(t *testing.T, read tail) (wrong []string) {
	t.Helper()
	ctx := t.Context()
	f := &fire{t: t, server: pgtest.Server(t), progress: make(chan struct{}), done: make(chan struct{})}
	pool := pgtest.Open(t, f.server.URL())
	for _, query := range []string{
		`create table written (id bigint generated always as identity, mark bigint primary key, thing bigint, step bigint)`,
		`create table things (id bigint primary key, step bigint)`,
		fmt.Sprintf(`insert into things select i, 0 from generate_series(1, %d) as i`, fireThings),
	} {
		if _, err := pool.Exec(ctx, query); err != nil {
			t.Fatal(err)
		}
	}
	store := New(pool, Options{})
	early := f.overtake(ctx, store, read)

	var writers, others sync.WaitGroup
	sequenced := make(chan struct{})
	var seen []mark
	var following sync.WaitGroup
	following.Go(func() { seen = f.follow(ctx, read, early, sequenced) })
	others.Go(func() { f.kill(ctx) })
	for range 3 {
		others.Go(func() { f.sequence(ctx) })
	}
	for i := range fireWriters {
		writers.Go(func() { f.write(ctx, i+1) })
	}
	writers.Wait()
	close(f.done)
	close(f.progress)
	others.Wait()
	head, err := store.Sequence(ctx)
	if err != nil {
		t.Fatal(err)
	}
	close(sequenced)
	following.Wait()

	if f.kills < 20 || f.refused < 10 || len(f.undone) == 0 {
		t.Errorf("%d kills, %d broken connections and %d changes undone: that was no fire", f.kills, f.refused, len(f.undone))
	}
	rows, err := pool.Query(ctx, `select mark from written order by mark`)
	if err != nil {
		t.Fatal(err)
	}
	written, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d changes in, %d undone; %d kills, %d broken connections; head %d", len(written), len(f.undone), f.kills, f.refused, head)
	return append(compareMarks(written, seen), f.compareLog(written, head)...)
}

// compareMarks compares the marks that the tail read with the marks in the database.
func compareMarks(written []int64, seen []mark) (wrong []string) {
	times := make(map[int64]int)
	steps := make(map[int64]int64)
	for _, m := range seen {
		if times[m.ID]++; times[m.ID] == 2 {
			wrong = append(wrong, fmt.Sprintf("change %d came twice", m.ID))
		}
		if _, known := slices.BinarySearch(written, m.ID); !known {
			wrong = append(wrong, fmt.Sprintf("change %d was never made", m.ID))
		}
		if m.Thing != 0 {
			if m.Step != steps[m.Thing]+1 {
				wrong = append(wrong, fmt.Sprintf("thing %d went from step %d to %d", m.Thing, steps[m.Thing], m.Step))
			}
			steps[m.Thing] = m.Step
		}
	}
	for _, id := range written {
		if times[id] == 0 {
			wrong = append(wrong, fmt.Sprintf("change %d was lost", id))
		}
	}
	return wrong
}

// compareLog compares the log itself with the committed changes.
func (f *fire) compareLog(written []int64, head int64) (wrong []string) {
	if head != int64(len(written)) {
		wrong = append(wrong, fmt.Sprintf("the head is %d after %d changes", head, len(written)))
	}
	for _, id := range f.committed {
		if _, in := slices.BinarySearch(written, id); !in {
			wrong = append(wrong, fmt.Sprintf("change %d was committed and is gone", id))
		}
	}
	for _, id := range f.undone {
		if _, in := slices.BinarySearch(written, id); in {
			wrong = append(wrong, fmt.Sprintf("change %d was undone and is in", id))
		}
	}
	return wrong
}

func TestSequencerUnderFire(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	positions := int64(0)
	contiguous := func(ctx context.Context, conn *pgx.Conn, last int64) ([]mark, error) {
		marks, err := followLog(ctx, conn, last)
		for _, m := range marks {
			if positions++; m.Position != positions {
				t.Errorf("position %d follows %d", m.Position, positions-1)
			}
		}
		return marks, err
	}
	for _, w := range underFire(t, contiguous) {
		t.Error(w)
	}
}

// TestSequencerUnderFireNoticesLostChanges runs the test of the sequencer with a reader of the log that is known to
// lose changes, and fails if the test does not notice the loss.
func TestSequencerUnderFireNoticesLostChanges(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	wrong := underFire(t, followIDs)
	lost := slices.ContainsFunc(wrong, func(w string) bool { return w == "change 1 was lost" })
	if !lost {
		t.Error("a tail by id lost nothing: the fire would not show it")
	}
	t.Logf("a tail by id: %d things wrong", len(wrong))
}
