package intake

import (
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"amstel.dev/amstel/timeline"
)

// TestAddingTakesTurns: a person can add one feed at a time, and gets an error that says to wait;
// other people can add theirs meanwhile. The number of people who add feeds at once is bounded.
func TestAddingTakesTurns(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	bert, err := d.store.SignUp(t.Context(), timeline.NewUser{Name: "bert", Email: "bert@example.org", Password: "correct horse"})
	d.must(err)
	asked, answer := make(chan struct{}), make(chan struct{})
	d.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-answer
		io.WriteString(w, feedOf("1"))
	})
	added := make(chan error, 1)
	go func() { added <- d.try(d.anna, "user", d.url+"/slow") }()
	<-asked
	if err := d.try(d.anna, "user", d.url+"/absent"); !errors.Is(err, errAdding) {
		t.Errorf("another feed of the same person: %v", err)
	}
	done, err := d.beginAdding(bert)
	if err != nil {
		t.Errorf("a feed of another person: %v", err)
	} else {
		done()
	}
	for id := range timeline.UserID(addsAtOnce - 1) {
		if _, err := d.beginAdding(1000 + id); err != nil {
			t.Errorf("person %d: %v", id, err)
		}
	}
	if err := d.try(bert, "user", d.url+"/absent"); !errors.Is(err, errCrowd) {
		t.Errorf("one person too many: %v", err)
	}
	close(answer)
	d.must(<-added)
	if err := d.try(d.anna, "user", d.url+"/absent"); err == nil || errors.Is(err, errAdding) {
		t.Errorf("after the first feed was added: %v", err)
	}
}

// TestFeedOfAnExportPostsNothingOld: the items of the first document of a feed that comes from an
// export are remembered and not posted; the next new item is posted.
func TestFeedOfAnExportPostsNothingOld(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBlog("1")
	_, err := d.store.Pool().Exec(t.Context(), `update intakes set quiet = true, checked_at = null, etag = ''`)
	d.must(err)
	_, err = d.store.Pool().Exec(t.Context(), `delete from intake_items`)
	d.must(err)
	b.post("2", "3")
	d.wait(time.Hour)
	d.work()
	if diff := gocmp.Diff([]string{"1"}, d.posts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.post("4")
	d.wait(time.Hour)
	d.work()
	if diff := gocmp.Diff([]string{"1", "4"}, d.posts()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
