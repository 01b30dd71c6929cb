package importer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
	"amstel.dev/amstel/internal/sample"
	"amstel.dev/amstel/timeline"
	"amstel.dev/amstel/timeline/importer"
)

// TestRunAgainAfterLifeWentOn: a second run keeps the changes that people made after the first.
func TestRunAgainAfterLifeWentOn(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.New(t)
	importFile(t, pool, sample.Bytes(), 0)
	const since = `
		update users set display_name = 'Anna K.', status = 'protected' where name = 'anna';
		update timelines set access = 'protected' where what in ('user', 'user_likes', 'user_comments') and their_id = (select id from users where name = 'anna')`
	if _, err := pool.Exec(ctx, since); err != nil {
		t.Fatal(err)
	}
	store := timeline.New(pool, timeline.Options{})
	id := func(name string) timeline.UserID {
		n, err := store.Lookup(ctx, name)
		if err != nil {
			t.Fatal(err)
		}
		return n.User
	}
	post := func(text string) (p timeline.PostID) {
		const query = `select id from posts where text like $1 || '%'`
		if err := pool.QueryRow(ctx, query, text).Scan(&p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	borscht := post("Борщ")
	hello := post("Hello, Amstel")
	var author timeline.UserID
	if err := pool.QueryRow(ctx, `select user_id from posts where id = $1`, hello).Scan(&author); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		store.EditPost(ctx, author, hello, timeline.PostEdit{Text: new("edited")}),
		store.Unsubscribe(ctx, id("dmitri"), timeline.FeedName{Name: "anna"}),
		store.Unban(ctx, id("hugo"), "farid"),
		store.Unlike(ctx, id("boris"), post("edited")),
		store.DeletePost(ctx, id("dmitri"), borscht),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := dump(t, pool)
	report := importFile(t, pool, sample.Bytes(), 7)
	if report.New() != 0 {
		t.Errorf("the second run: %v", &report)
	}
	same(t, want, dump(t, pool))
	checkPrimary(t, pool)

	// The file of the second run is longer. Its lines about a deleted post are passed over.
	more := fmt.Sprintf("%s%s\n%s\n%s\n", sample.Bytes(),
		`{"type":"comment","id":"c16","post":"p8","author":"anna","text":"Too late","at":"2015-06-09T08:00:00Z"}`,
		`{"type":"comment_like","user":"anna","comment":"c13","at":"2015-06-09T08:00:01Z"}`,
		`{"type":"comment","id":"c17","post":"p1","author":"anna","text":"In time","at":"2015-06-09T08:00:02Z"}`)
	report = importFile(t, pool, []byte(more), 0)
	if report.Comments.Skipped != 1 || report.CommentLikes.Skipped != 1 || report.Comments.New != 1 || report.New() != 1 {
		t.Errorf("the longer edition: %v", &report)
	}
	checkPrimary(t, pool)

	// They are passed over too if the post's row has been deleted from the database.
	if _, err := pool.Exec(ctx, `delete from posts where id = $1`, borscht); err != nil {
		t.Fatal(err)
	}
	more += `{"type":"like","user":"anna","post":"p8","at":"2015-06-09T08:00:03Z"}` + "\n"
	report = importFile(t, pool, []byte(more), 0)
	if report.Likes.Skipped != 1 || report.New() != 0 {
		t.Errorf("the last edition: %v", &report)
	}
	checkPrimary(t, pool)
}

// TestPeopleAreKnownByName: an import uses the existing people and groups that have the names in the file.
func TestPeopleAreKnownByName(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.New(t)
	store := timeline.New(pool, timeline.Options{})
	anna, err := store.SignUp(ctx, timeline.NewUser{Name: "anna", Email: "anna@example.org", NoPassword: true})
	if err != nil {
		t.Fatal(err)
	}
	report := importFile(t, pool, sample.Bytes(), 0)
	if report.Users.New != 7 || report.Users.There != 1 {
		t.Errorf("%v", &report)
	}
	var posts int
	if err := pool.QueryRow(ctx, `select count(*) from posts where user_id = $1`, anna).Scan(&posts); err != nil {
		t.Fatal(err)
	}
	if posts != 5 {
		t.Errorf("anna has %d posts, want 5", posts)
	}
	checkPrimary(t, pool)
}

func TestNameOfAnotherKind(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.New(t)
	store := timeline.New(pool, timeline.Options{})
	zoe, err := store.SignUp(ctx, timeline.NewUser{Name: "zoe", Email: "zoe@example.org", NoPassword: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.CreateGroup(ctx, zoe, timeline.NewGroup{Name: "anna"}); err != nil {
		t.Fatal(err)
	}
	bad := refuseFile(t, pool, sample.Bytes(), 0)
	if bad.Line != 1 || !strings.Contains(bad.Reason, `there is a group of the name "anna"`) {
		t.Errorf("got %v", bad)
	}
}

// TestAnotherFileOfTheSource: a file that is not a new edition of the first file with the same source name is
// refused, because it would mix the posts of two communities.
func TestAnotherFileOfTheSource(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	importFile(t, pool, sample.Bytes(), 0)
	for want, other := range map[string]string{
		`post "p1" of this source is there already, by another author or of another time`:    strings.Replace(good, `"author":"anna"`, `"author":"boris"`, 1),
		`comment "c1" of this source is there already, by another author or of another time`: strings.Replace(good, `"c1","post":"p1","author":"boris"`, `"c1","post":"p1","author":"dmitri"`, 1),
	} {
		bad := refuseFile(t, pool, []byte(other), 0)
		if bad.Reason != want {
			t.Errorf("got %v, want %q", bad, want)
		}
	}
	// Under another source name the file counts as another file.
	_, err := importer.Import(t.Context(), pool, strings.NewReader(good), importer.Options{Source: "other"})
	if err != nil {
		t.Error(err)
	}
	checkPrimary(t, pool)
}

// TestLogIsRenewedWithEachBatch: each batch that changes rows renews the log's uuid, and rings the doorbell of
// the log once.
func TestLogIsRenewedWithEachBatch(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	t.Parallel()
	ctx := t.Context()
	pool := pgtest.New(t)
	conn, err := pool.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(ctx, `listen amstel`); err != nil {
		t.Fatal(err)
	}
	uuids := make(map[string]bool)
	_, err = importer.Import(ctx, pool, sample.Reader(), importer.Options{
		Source: sample.Source, Batch: 30,
		Progress: func(importer.Progress) {
			waiting, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			if n, err := conn.Conn().WaitForNotification(waiting); err != nil || n.Channel != "amstel" {
				t.Errorf("notification %v, error %v", n, err)
			}
			var uuid string
			if err := pool.QueryRow(ctx, `select uuid::text from log_head`).Scan(&uuid); err != nil {
				t.Error(err)
			}
			uuids[uuid] = true
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(uuids) != 3 {
		t.Errorf("3 batches left %d uuids", len(uuids))
	}
}

// TestBesideARunningServer runs two imports of the same file at the same time, while people comment, like,
// follow and ban, on the posts and people of the file.
func TestBesideARunningServer(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	pool := pgtest.New(t)
	importFile(t, pool, []byte(strings.Join(strings.SplitAfter(string(sample.Bytes()), "\n")[:6], "")), 0)
	store := timeline.New(pool, timeline.Options{})
	var done sync.WaitGroup
	acts := make([]int, 3)
	for i := range acts {
		user, err := store.SignUp(ctx, timeline.NewUser{Name: fmt.Sprintf("visitor-%d", i), Email: fmt.Sprintf("v%d@example.org", i), NoPassword: true})
		if err != nil {
			t.Fatal(err)
		}
		done.Go(func() {
			for ctx.Err() == nil {
				if err := visit(ctx, store, user, acts[i]); err != nil && ctx.Err() == nil {
					t.Errorf("act %d: %v", acts[i], err)
					return
				}
				acts[i]++
			}
		})
	}
	var imports sync.WaitGroup
	var reports [2]importer.Report
	for i := range reports {
		imports.Go(func() {
			var err error
			reports[i], err = importer.Import(t.Context(), pool, sample.Reader(), importer.Options{Source: sample.Source, Batch: 1 + i})
			if err != nil {
				t.Error(err)
			}
		})
	}
	imports.Wait()
	stop()
	done.Wait()
	for i, n := range acts {
		if n == 0 {
			t.Errorf("visitor %d did nothing", i)
		}
	}
	// An administrator's subscription came with the group. Its own line is new only to the
	// import that made the group.
	if n := reports[0].New() + reports[1].New() + 6; n != 71 && n != 70 {
		t.Errorf("the two imports took %d lines together, want 71, or 70", n)
	}
	checkPrimary(t, pool)
}

// visit does one action after another to the newest post that a person may see, and to the
// post's author.
func visit(ctx context.Context, store *timeline.Store, user timeline.UserID, n int) error {
	const newest = `
		select p.id, u.name from posts p join users u on u.id = p.user_id join timelines t on t.id = any(p.places)
		where t.access = 'public' order by p.id desc offset $1 limit 1`
	var post timeline.PostID
	var author string
	if err := store.Pool().QueryRow(ctx, newest, n%3).Scan(&post, &author); err != nil {
		return nil // there are not so many posts yet
	}
	var err error
	switch n % 7 {
	case 0, 3:
		_, err = store.AddComment(ctx, user, post, timeline.NewComment{Text: fmt.Sprint("comment ", n)})
	case 1:
		err = store.Like(ctx, user, post)
	case 2:
		_, err = store.Subscribe(ctx, user, timeline.FeedName{Name: author}, timeline.SubscribeOptions{})
	case 4:
		err = store.Ban(ctx, user, author)
	case 5:
		err = store.Unban(ctx, user, author)
	default:
		err = store.Unlike(ctx, user, post)
	}
	if errors.Is(err, timeline.ErrNotFound) || errors.Is(err, timeline.ErrForbidden) {
		return nil // a ban is between them
	}
	return err
}
