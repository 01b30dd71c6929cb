package timeline

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
)

// always reports of every file that the file store has it.
func always(context.Context, FileName) (bool, error) { return true, nil }
func never(context.Context, FileName) (bool, error)  { return false, nil }

// named returns the name of a file of these bytes.
func named(bytes string) FileName { return sha256.Sum256([]byte(bytes)) }

// photo returns the result of a worker for an upload of these bytes.
func photo(bytes string) FinishedFile {
	return FinishedFile{Kind: "image", MediaType: "image/jpeg", Frames: 1, Renditions: []Rendition{
		{"original", named(bytes + " original"), "image/jpeg", 90, 300, 200},
		{"thumb", named(bytes + " thumb"), "image/jpeg", 9, 30, 20},
	}}
}

// reserve reserves 100 bytes for a file of a person.
func (s *site) reserve(who string) AttachmentID {
	s.t.Helper()
	id, _, err := s.ReserveAttachment(s.t.Context(), s.user(who), NewAttachment{FileName: "soup.jpg", Size: 100}, AttachmentLimits{})
	s.must(err)
	return id
}

// upload has a file of a person received and queued.
func (s *site) upload(who, bytes string) AttachmentID {
	s.t.Helper()
	id := s.reserve(who)
	s.must(s.ReceiveAttachment(s.t.Context(), s.user(who), id, named(bytes), 80, always))
	return id
}

// ready has a file of a person made ready.
func (s *site) ready(who, bytes string) AttachmentID {
	s.t.Helper()
	id := s.upload(who, bytes)
	s.must(s.FinishAttachment(s.t.Context(), id, photo(bytes), always))
	return id
}

// inPlace returns the attachments whose column has this id, such as those of a post, in their order.
func (s *site) inPlace(column string, id any) (ids []AttachmentID) {
	s.t.Helper()
	return one[[]AttachmentID](s, `select coalesce(array_agg(id order by position), '{}') from attachments where `+column+` = $1`, id)
}

// sumIsRight compares the site's stored sum of bytes with a sum over all rows.
func (s *site) sumIsRight() {
	s.t.Helper()
	sum, want := one[int64](s, `select bytes from attachment_sum`), one[int64](s, `select coalesce(sum(size), 0)::bigint from attachments`)
	if sum != want {
		s.t.Errorf("the sum is %d, should be %d", sum, want)
	}
}

// TestAttachmentBecomesReady follows an upload from its reservation to its renditions.
func TestAttachmentBecomesReady(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	anna := s.user("anna")
	id, most, err := s.ReserveAttachment(ctx, anna, NewAttachment{FileName: `C:\photos\soup.jpg`, Alt: " a soup ", Size: 100}, AttachmentLimits{})
	s.must(err)
	if most != 100 {
		t.Errorf("%d bytes may come", most)
	}
	if files, err := s.UnattachedFiles(ctx, anna); err != nil || len(files) != 0 {
		t.Errorf("while it is received, there are %v, %v", files, err)
	}
	if l, err := s.TakeAttachment(ctx, time.Minute); l != nil || err != nil {
		t.Errorf("while it is received, a worker takes %v, %v", l, err)
	}
	bell, stop := s.ListenUploads()
	defer stop()
	if err := s.ReceiveAttachment(ctx, anna, id, named("soup"), 80, never); !errors.Is(err, ErrFileGone) {
		t.Errorf("without its file: %v", err)
	}
	if err := s.ReceiveAttachment(ctx, s.user("bert"), id, named("soup"), 80, always); !errors.Is(err, ErrNotFound) {
		t.Errorf("by another: %v", err)
	}
	if err := s.ReceiveAttachment(ctx, anna, id, named("soup"), 101, always); !errors.Is(err, ErrNotFound) {
		t.Errorf("larger than reserved: %v", err)
	}
	for range 2 {
		s.must(s.ReceiveAttachment(ctx, anna, id, named("soup"), 80, always))
	}
	select {
	case <-bell:
	default:
		t.Error("did not ring for the upload")
	}
	want := UploadedFile{ID: id, State: AttachmentQueued, FileName: "soup.jpg", Kind: "image", Size: 80, Frames: 1, Alt: "a soup", UploadedAt: s.clock.UnixMilli()}
	compare := func() {
		t.Helper()
		files, err := s.UnattachedFiles(ctx, anna)
		s.must(err)
		if diff := gocmp.Diff([]UploadedFile{want}, files); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	compare()
	l, err := s.TakeAttachment(ctx, time.Minute)
	s.must(err)
	if diff := gocmp.Diff(&Lease{ID: id, Owner: anna, Upload: named("soup"), Size: 80, Try: 1}, l); diff != "" {
		t.Errorf("taken (-want +got):\n%s", diff)
	}
	if err := s.FinishAttachment(ctx, id, photo("soup"), never); !errors.Is(err, ErrFileGone) {
		t.Errorf("without its renditions: %v", err)
	}
	for range 2 { // the second try is by a worker that was too slow
		s.must(s.FinishAttachment(ctx, id, photo("soup"), always))
		s.must(s.RefuseAttachment(ctx, id, RefusedFailed))
	}
	want.State, want.MediaType, want.Renditions = AttachmentReady, "image/jpeg", photo("soup").Renditions
	compare()
	none, err := s.UnneededFiles(ctx, []FileName{named("soup"), named("soup thumb"), named("soup original"), named("other")})
	s.must(err)
	if !slices.Equal(none, []FileName{named("soup"), named("other")}) {
		t.Errorf("no row needs %v", none)
	}
	s.sumIsRight()
	if _, err := s.RemoveAttachment(ctx, s.user("bert"), id); !errors.Is(err, ErrNotFound) {
		t.Errorf("removed by another: %v", err)
	}
	if post, err := s.RemoveAttachment(ctx, anna, id); post != 0 || err != nil {
		t.Errorf("removed of post %d: %v", post, err)
	}
	if err := s.FinishAttachment(ctx, id, photo("soup"), always); !errors.Is(err, ErrNotFound) {
		t.Errorf("finished after it was removed: %v", err)
	}
	s.sumIsRight()
}

// TestAttachmentQueue has workers that die, postpone and give up.
func TestAttachmentQueue(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	first := s.upload("anna", "first")
	s.wait(time.Second)
	second := s.upload("anna", "second")
	take := func(want AttachmentID, try int) Lease {
		t.Helper()
		l, err := s.TakeAttachment(ctx, time.Minute)
		s.must(err)
		if l == nil {
			l = &Lease{}
		}
		if l.ID != want || want != 0 && l.Try != try {
			t.Fatalf("took %+v, want %d in its try %d", *l, want, try)
		}
		return *l
	}
	dead := take(first, 1)
	take(second, 1)
	take(0, 0)
	s.wait(time.Minute)
	l := take(first, 2)
	s.must(s.PostponeAttachment(ctx, dead, 0, true)) // the lease is over
	s.must(s.PostponeAttachment(ctx, l, time.Hour, true))
	l = take(second, 2)
	s.must(s.PostponeAttachment(ctx, l, 0, false))
	take(second, 2)
	s.must(s.RefuseAttachment(ctx, second, RefusedDamaged))
	s.wait(time.Hour)
	take(first, 3)
	take(0, 0)
	files, err := s.UnattachedFiles(ctx, s.user("anna"))
	s.must(err)
	if len(files) != 2 || files[1].State != AttachmentRefused || files[1].Refused != RefusedDamaged {
		t.Errorf("the owner sees %+v", files)
	}
	s.sumIsRight()
}

// TestAttachmentsOfPosts puts files into posts and comments, reorders and removes them.
func TestAttachmentsOfPosts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	anna, bert, post, other := s.user("anna"), s.user("bert"), s.post("anna"), s.post("anna")
	comment := s.comment("bert", post)
	a, b, queued, berts, receiving := s.ready("anna", "a"), s.ready("anna", "b"), s.upload("anna", "c"), s.ready("bert", "d"), s.reserve("anna")
	set := func(want error, post PostID, comment CommentID, who UserID, ids ...AttachmentID) {
		t.Helper()
		to := &Files{IDs: ids, Most: 3}
		edit := func() error { return s.EditPost(ctx, who, post, PostEdit{Files: to}) }
		if comment != 0 {
			edit = func() error { return s.EditComment(ctx, who, post, comment, CommentEdit{Files: to}) }
		}
		if err := edit(); !isErr(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	before := s.fingerprint(ctx)
	set(ErrForbidden, post, 0, bert, berts)
	set(ErrForbidden, post, comment, anna, a)
	set(ErrUnauthorized, post, 0, 0, a)
	set(ErrNotFound, post, 0, anna, a, berts)
	set(ErrNotFound, post, 0, anna, a, 1)
	set(ErrNotFound, 1, 0, anna, a)
	set(ErrNotFound, other, comment, bert, berts)
	set(ErrConflict, post, 0, anna, a, receiving)
	set(errInvalid, post, 0, anna, a, a)
	set(errInvalid, post, 0, anna, a, b, queued, receiving)
	if s.fingerprint(ctx) != before {
		t.Error("a call that was refused changed something")
	}
	version := s.state(post).Version
	changed := s.changesOf(func() { set(nil, post, 0, anna, b, queued, a) })
	s.same([]Change{{Kind: ChangePost, Post: post}}, changed)
	if got := s.inPlace("post_id", post); !slices.Equal(got, []AttachmentID{b, queued, a}) {
		t.Errorf("the post has %v", got)
	}
	s.same(nil, s.changesOf(func() { set(nil, post, 0, anna, b, queued, a) }))
	set(ErrConflict, other, 0, anna, a)
	set(nil, post, comment, bert, berts)
	if _, err := s.RemoveAttachment(ctx, anna, a); !errors.Is(err, ErrConflict) {
		t.Errorf("a file of a post was removed: %v", err)
	}
	shown := func(want ...AttachmentID) {
		t.Helper()
		folds, err := s.snap().Folds(ctx, []PostID{post}, FoldOptions{})
		s.must(err)
		var got []AttachmentID
		for _, f := range folds[post].Attachments {
			got = append(got, f.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the post shows %v, want %v", got, want)
		}
	}
	shown(b, a)
	s.same([]Change{{Kind: ChangePost, Post: post}}, s.changesOf(func() { s.must(s.FinishAttachment(ctx, queued, photo("c"), always)) }))
	shown(b, queued, a)
	if got := s.state(post).Version; got != version+3 {
		t.Errorf("the version rose from %d to %d", version, got)
	}
	set(nil, post, 0, anna, a, b)
	if got := s.inPlace("post_id", post); !slices.Equal(got, []AttachmentID{a, b}) {
		t.Errorf("the post has %v", got)
	}
	s.audit()
	s.must(s.DeleteComment(ctx, bert, post, comment))
	s.must(s.DeletePost(ctx, anna, post))
	if n := one[int](s, `select count(*) from attachments where state <> 'receiving'`); n != 0 {
		t.Errorf("%d attachments are left of what is deleted", n)
	}
	if n := one[int](s, `select count(*) from renditions`); n != 0 {
		t.Errorf("%d renditions are left of what is deleted", n)
	}
	s.sumIsRight()
}

// TestLeftAttachmentsGo lets time pass for uploads in every state: unfinished, refused and unattached
// ones are deleted, each after its time.
func TestLeftAttachmentsGo(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx := t.Context()
	anna, post := s.user("anna"), s.post("anna")
	attached := s.ready("anna", "a")
	s.must(s.EditPost(ctx, anna, post, PostEdit{Files: &Files{IDs: []AttachmentID{attached}}}))
	unattached, receiving, queued, refused := s.ready("anna", "b"), s.reserve("anna"), s.upload("anna", "c"), s.upload("anna", "d")
	s.must(s.RefuseAttachment(ctx, refused, RefusedDamaged))
	for _, tt := range []struct {
		wait time.Duration
		want []AttachmentID
	}{
		{receivingFor, []AttachmentID{attached, unattached, receiving, queued, refused}},
		{time.Millisecond, []AttachmentID{attached, unattached, queued, refused}},
		{refusedFor - receivingFor, []AttachmentID{attached, unattached, queued}},
		{unattachedFor - refusedFor, []AttachmentID{attached, queued}},
		{365 * 24 * time.Hour, []AttachmentID{attached, queued}},
	} {
		s.wait(tt.wait)
		s.must(s.PrunePrimary(ctx, Ages{}))
		if got := one[[]AttachmentID](s, `select array_agg(id order by id) from attachments`); !slices.Equal(got, tt.want) {
			t.Errorf("after %v more there are %v, want %v", tt.wait, got, tt.want)
		}
		s.sumIsRight()
	}
}

// TestAttachmentQuotas exceeds each limit by one, and then by many uploads at once.
func TestAttachmentQuotas(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna", "bert", "carl")
	ctx := t.Context()
	limits := AttachmentLimits{File: 100, Person: 350, Site: 800, Unattached: 5}
	reserve := func(who string, size int64) error {
		_, _, err := s.ReserveAttachment(ctx, s.user(who), NewAttachment{Size: size}, limits)
		return err
	}
	refused := func(err error, want QuotaError) {
		t.Helper()
		if e, ok := errors.AsType[*QuotaError](err); !ok || *e != want {
			t.Errorf("got %v, want %+v", err, want)
		}
	}
	refused(reserve("anna", 101), QuotaError{What: "file", Limit: 100, Left: 100})
	// Each tries ten at once. Three of a hundred fit for a person.
	var all sync.WaitGroup
	var mu sync.Mutex
	fit := map[string]int{}
	for _, who := range []string{"anna", "bert"} {
		for range 10 {
			all.Go(func() {
				err := reserve(who, 0)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					fit[who]++
				} else {
					refused(err, QuotaError{What: "person", Limit: 350, Left: 50})
				}
			})
		}
	}
	all.Wait()
	if fit["anna"] != 3 || fit["bert"] != 3 {
		t.Errorf("reserved %v", fit)
	}
	s.sumIsRight()
	s.must(reserve("anna", 50))
	// 150 bytes of the site's quota are left. Of eight people who reserve 100 bytes at the same time, only
	// one succeeds.
	limits.Site = 750
	for i := range 8 {
		s.add("many" + string(rune('a'+i)))
	}
	var mine int
	for i := range 8 {
		all.Go(func() {
			err := reserve("many"+string(rune('a'+i)), 100)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				mine++
			} else {
				refused(err, QuotaError{What: "site", Limit: 750, Left: 0})
			}
		})
	}
	all.Wait()
	if mine != 1 {
		t.Errorf("%d uploads fit into what is left of the site", mine)
	}
	s.sumIsRight()
	// Small uploads count too. An unfinished upload gives its room back after an hour.
	limits.Site = 0
	for range 5 {
		s.must(reserve("carl", 1))
	}
	refused(reserve("carl", 1), QuotaError{What: "unattached", Limit: 5})
	s.wait(receivingFor)
	for range 5 {
		s.must(reserve("carl", 1))
	}
	s.sumIsRight()
	// The true size replaces the reserved size.
	limits.Unattached = 0
	s.ready("bert", "soup")
	for range 2 {
		s.must(reserve("bert", 100))
	}
	refused(reserve("bert", 71), QuotaError{What: "person", Limit: 350, Left: 70})
	s.must(reserve("bert", 70))
	for who, want := range map[UserID]error{0: ErrUnauthorized, 999: ErrUnauthorized, s.user("anna"): errInvalid} {
		if _, _, err := s.ReserveAttachment(ctx, who, NewAttachment{FileName: map[error]string{errInvalid: "a\x00b"}[want]}, limits); !isErr(err, want) {
			t.Errorf("user %d: %v", who, err)
		}
	}
}

// TestRefusedFilesOfPosts has files of posts and comments refused. The fold has the number of them, as of
// the files in the queue, until their owner removes them.
func TestRefusedFilesOfPosts(t *testing.T) {
	long(t)
	t.Parallel()
	s := newSite(t, "anna", "bert")
	ctx := t.Context()
	anna, bert, post := s.user("anna"), s.user("bert"), s.post("anna")
	comment := s.comment("bert", post)
	a, b := s.upload("anna", "a"), s.upload("bert", "b")
	s.must(s.EditPost(ctx, anna, post, PostEdit{Files: &Files{IDs: []AttachmentID{a}}}))
	s.must(s.EditComment(ctx, bert, post, comment, CommentEdit{Files: &Files{IDs: []AttachmentID{b}}}))
	unready := func(want ...[]Unready) {
		t.Helper()
		folds, err := s.snap().Folds(ctx, []PostID{post}, FoldOptions{})
		s.must(err)
		c, err := s.Comment(ctx, bert, post, comment)
		s.must(err)
		of := folds[post].Comments.Comments[0].Unready
		if diff := gocmp.Diff(want, [][]Unready{folds[post].Text.Unready, of, c.Unready}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	unready([]Unready{{a, "soup.jpg", ""}}, []Unready{{b, "soup.jpg", ""}}, []Unready{{b, "soup.jpg", ""}})
	if _, err := s.RemoveAttachment(ctx, anna, a); !errors.Is(err, ErrConflict) {
		t.Errorf("a queued file of a post was removed: %v", err)
	}
	changed := []Change{{Kind: ChangePost, Post: post}}
	s.must(s.RefuseAttachment(ctx, a, RefusedPixels))
	s.must(s.RefuseAttachment(ctx, b, RefusedDamaged))
	s.wait(365 * 24 * time.Hour)
	s.must(s.PrunePrimary(ctx, Ages{}))
	unready([]Unready{{a, "soup.jpg", RefusedPixels}}, []Unready{{b, "soup.jpg", RefusedDamaged}}, []Unready{{b, "soup.jpg", RefusedDamaged}})
	before := s.fingerprint(ctx)
	if _, err := s.RemoveAttachment(ctx, bert, a); !errors.Is(err, ErrNotFound) {
		t.Errorf("removed by another: %v", err)
	}
	if s.fingerprint(ctx) != before {
		t.Error("a removal that was refused changed something")
	}
	for id, owner := range map[AttachmentID]UserID{a: anna, b: bert} {
		got := s.changesOf(func() {
			if of, err := s.RemoveAttachment(ctx, owner, id); of != post || err != nil {
				t.Errorf("removed from post %d: %v", of, err)
			}
		})
		for i := range got {
			got[i].TextChanged = false
		}
		s.same(changed, got)
	}
	unready(nil, nil, nil)
	s.audit()
}
