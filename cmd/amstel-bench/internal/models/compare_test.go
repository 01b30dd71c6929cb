package models

import (
	"fmt"
	"strings"
	"testing"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/timeline"
)

// TestHomesThatDifferAreFound changes an inbox in the database, without the source: compare finds the
// difference.
func TestHomesThatDifferAreFound(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs nodes")
	}
	ctx := t.Context()
	l := &laboratory{Config: &Config{Folder: t.TempDir()}, people: &Community{}, result: &Result{Source: timeline.SourceSegments}}
	l.open(pgtest.New(t))
	var ids []timeline.UserID
	for i := range 2 {
		name := fmt.Sprintf("person%d", i)
		id, err := l.store.SignUp(ctx, timeline.NewUser{Name: name, Email: name + "@example.org", NoPassword: true})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
		l.people.People = append(l.people.People, Person{ID: id, Name: name, Public: true})
	}
	l.people.Homes, l.people.Active = []int{0}, []int{0}
	if _, err := l.store.Subscribe(ctx, ids[0], timeline.FeedName{Name: "person1"}, timeline.SubscribeOptions{}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := l.store.CreatePost(ctx, ids[1], newPost(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.fill(ctx); err != nil {
		t.Fatal(err)
	}
	if err := l.compare(ctx); err != nil || l.result.Compared != 1 {
		t.Fatalf("%d homes are equal: %v", l.result.Compared, err)
	}
	if _, err := l.pool.Exec(ctx, `delete from inbox_rows where post_id = (select min(post_id) from inbox_rows)`); err != nil {
		t.Fatal(err)
	}
	if err := l.compare(ctx); err == nil || !strings.Contains(err.Error(), "differs from that of the timelines") {
		t.Errorf("a home that lacks a post: %v", err)
	}
}
