package timeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"amstel.dev/amstel/internal/pgtest"
	"amstel.dev/amstel/internal/racetest"
)

const zoesPassword = "correct horse"

// newCircle makes a site on which Zoe has every kind of relation to other people, and every kind
// of reaction to n posts of Bert's. She wrote n posts herself. She has a password, which she
// needs to delete her account.
func newCircle(t testing.TB, n int) *site {
	t.Helper()
	s := newSite(t, "anna", "bert", "carl", "dora", "zoe")
	ctx := t.Context()
	anna, bert, carl, zoe := s.user("anna"), s.user("bert"), s.user("carl"), s.user("zoe")
	s.must(s.SetPassword(ctx, zoe, zoesPassword))
	s.group("zoe", NewGroup{Name: "kitchen"})
	s.group("anna", NewGroup{Name: "attic", Joining: "request"})
	s.follow("anna", "kitchen")
	s.follow("bert", "kitchen")
	s.must(s.AddAdmin(ctx, zoe, "kitchen", "anna"))
	s.follow("bert", "zoe")
	s.follow("zoe", "bert")
	for range n {
		berts := s.post("bert", "user", "group:kitchen")
		comment := s.comment("carl", berts)
		s.wait(time.Second)
		s.comment("zoe", berts)
		s.must(s.Like(ctx, zoe, berts))
		s.must(s.LikeComment(ctx, zoe, berts, comment))
		zoes := s.post("zoe", "user", "group:kitchen")
		s.must(s.Like(ctx, bert, zoes))
		s.comment("bert", zoes)
	}
	// Texts mention Zoe, her own mention others, and she undid some of her actions.
	other := s.post("carl")
	for _, by := range []string{"zoe", "bert"} {
		_, err := s.AddComment(ctx, s.user(by), other, NewComment{Text: "@carl, @zoe"})
		s.must(err)
	}
	_, err := s.CreatePost(ctx, carl, NewPost{To: []string{"user"}, Text: "@zoe"})
	s.must(err)
	s.must(s.Like(ctx, zoe, other))
	s.must(s.Unlike(ctx, zoe, other))
	s.exec(`insert into favs select post_id, user_id, created_at from likes where user_id = $1`, zoe)
	s.exec(`update posts set favs_count = 1 where id in (select post_id from favs)`)
	s.exec(`
		insert into timeline_entries select t.id, f.post_id, p.fresh_at, p.fresh_at
		from favs f join posts p on p.id = f.post_id join timelines t on t.what = 'user_favs' and t.their_id = f.user_id`)
	s.exec(`update timelines set latest_at = 1e15 where what = 'user_favs'`)
	s.post("zoe", "user_fyeo")
	s.post("zoe", "user_private")
	s.post("zoe", "direct:bert")
	direct := s.post("bert", "direct:zoe", "direct:carl")
	s.comment("zoe", direct)
	_, err = s.NewSession(ctx, zoe, false, "")
	s.must(err)
	_, _, err = s.NewFeedAddress(ctx, zoe, FeedAddress{Page: "/"})
	s.must(err)
	_, err = s.AddIntake(ctx, zoe, NewIntake{To: "user", Address: "https://blog.example/feed.atom"}, time.Minute)
	s.must(err)
	_, err = s.NewToken(ctx, zoe, TokenSpec{Name: "a clock", Scopes: AllScopes})
	s.must(err)
	_, err = s.NewLink(ctx, zoe)
	s.must(err)
	s.must(s.Ban(ctx, zoe, "dora"))
	s.must(s.Ban(ctx, s.add("eva"), "zoe"))
	_, err = s.Subscribe(ctx, zoe, FeedName{Name: "attic"}, SubscribeOptions{})
	s.must(err)
	_, err = s.Subscribe(ctx, carl, FeedName{Name: "zoe", Private: true}, SubscribeOptions{})
	s.must(err)
	for _, query := range []string{
		`insert into invitations (user_id, timeline_id, from_id) select $1, id, $2 from timelines where what = 'user_private' and their_id = $2`,
		`insert into invitations (user_id, timeline_id, from_id) select $2, id, $1 from timelines where what = 'user_private' and their_id = $1`,
		`insert into timeline_excluded select id, $1 from timelines where what in ('user', 'user_likes', 'user_comments') and their_id = $2`,
		`insert into hidden_users values ($1, $2), ($2, $1)`,
		`insert into lists (user_id, name) values ($1, 'friends'), ($2, 'friends')`,
		`insert into list_members
			select l.id, t.id from lists l join timelines t on t.what = 'user' and (l.user_id, t.their_id) in (($1, $2), ($2, $1))`,
		`insert into muted
			select m.who, t.id from (values ($1::bigint, $2::bigint), ($2, $1)) m(who, muted) join timelines t on t.their_id = m.muted and t.what in ('user_likes', 'user_comments')`,
	} {
		s.exec(query, anna, zoe)
	}
	s.exec(`insert into hidden_posts select $1, max(id) from posts where user_id = $2 union all select $2, min(id) from posts where user_id <> $2`, anna, zoe)
	s.exec(`
		insert into timeline_excluded
		select id, $1 from timelines where what in ('user', 'user_likes', 'user_comments') and their_id = $2`, zoe, s.user("dora"))
	s.exec(`insert into mails (user_id, kind, address, created_at, due_at) values ($1, 'sign_in', 'zoe@example.org', now(), now())`, zoe)
	s.exec(`insert into email_links values ('secret', $1, 'zoe@example.org', now())`, zoe)
	s.addPasskeyRow(zoe)
	s.exec(`insert into submissions values ($1, gen_random_uuid(), 'post', 1)`, zoe)
	s.exec(`insert into saved_searches (user_id, name, query) values ($1, 'cats', 'cat')`, zoe)
	s.exec(`insert into left_off (user_id, page, seen_at, seen_post, at) values ($1, 'home', 1, 1, now())`, zoe)
	s.exec(`insert into attachments (id, user_id, state, file_name) values (1, $1, 'ready', 'cat.jpg')`, zoe)
	s.exec(`insert into earlier_texts (post_id, comment_id, text, places, written_at, replaced_at)
		select post_id, id, 'before', '{}'::bigint[], created_at, created_at from comments where user_id = $1
		union all select id, null, 'before', '{}'::bigint[], published_at, published_at from posts where user_id = $1`, zoe)
	return s
}

// exec runs a statement on the primary without the store.
func (s *site) exec(query string, args ...any) {
	s.t.Helper()
	_, err := s.db.Pool.Exec(s.t.Context(), query, args...)
	s.must(err)
}

// addPasskeyRow gives a person a passkey with which no one can sign in.
func (s *site) addPasskeyRow(user UserID) {
	s.t.Helper()
	s.exec(`insert into passkeys (user_id, credential_id, public_key, sign_count, backup_eligible, backed_up, transports, aaguid, name, created_at)
		values ($1, 'id', 'key', 0, false, false, '{}', '', 'phone', now())`, user)
}

// endAccount deletes a person's account, and ends it, as if the time for coming back were over.
func (s *site) endAccount(user UserID) {
	s.t.Helper()
	s.must(s.DeleteAccount(s.t.Context(), user, zoesPassword))
	s.exec(`update users set erase_at = $2 where id = $1`, user, s.db.Now())
	s.must(s.EraseAccounts(s.t.Context()))
}

// runAccountJobs runs erase jobs until none is left, and returns the number of chunks.
func (s *site) runAccountJobs() (chunks int) {
	s.t.Helper()
	for {
		more, err := s.RunAccountJob(s.t.Context())
		s.must(err)
		if !more {
			return chunks
		}
		chunks++
	}
}

// left counts the rows that refer to a person, by table and column.
func (s *site) left(user UserID) map[string]int {
	s.t.Helper()
	rows, err := s.db.Pool.Query(s.t.Context(), `
		select conrelid::regclass::text, attname
		from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
		where confrelid = 'users'::regclass and contype = 'f'`)
	s.must(err)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Table, Column string }])
	s.must(err)
	left := make(map[string]int)
	for _, c := range columns {
		if n := one[int](s, fmt.Sprintf(`select count(*) from %s where %s = $1`, c.Table, c.Column), user); n > 0 {
			left[c.Table+"."+c.Column] = n
		}
	}
	for _, table := range []string{"subscriptions", "subscription_requests", "invitations", "timeline_excluded", "list_members", "muted", "timeline_entries", "timeline_left"} {
		n := one[int](s, fmt.Sprintf(`
			select count(*) from %s x join timelines t on t.id = x.timeline_id where t.their_id = $1 and t.what like any('{user%%,mentions}')`, table), user)
		if n > 0 {
			left[table+" of timelines"] = n
		}
	}
	return left
}

func TestDeletedAccountLeavesNothing(t *testing.T) {
	long(t)
	t.Parallel()
	s := newCircle(t, 3)
	s.audit()
	ctx := t.Context()
	zoe := s.user("zoe")
	full := s.left(zoe)
	for _, column := range []string{
		"posts.user_id", "all_comments.user_id", "all_likes.user_id", "all_favs.user_id", "all_comment_likes.user_id", "attachments.user_id",
		"subscriptions.user_id", "subscription_requests.user_id", "invitations.user_id", "invitations.from_id",
		"timeline_excluded.user_id", "group_admins.user_id", "bans.user_id", "bans.target_id", "hidden_posts.user_id",
		"hidden_users.user_id", "hidden_users.target_id", "lists.user_id", "muted.user_id", "sessions.user_id", "api_tokens.user_id", "feed_addresses.user_id", "intakes.user_id", "mails.user_id", "email_links.user_id",
		"passkeys.user_id", "sign_in_links.user_id", "submissions.user_id", "saved_searches.user_id", "left_off.user_id",
		"all_mentions.user_id", "all_mentions.by_id", "notices.user_id", "notices.by_id",
		"subscriptions of timelines", "subscription_requests of timelines", "invitations of timelines",
		"timeline_excluded of timelines", "list_members of timelines", "muted of timelines", "timeline_entries of timelines",
		"timeline_left of timelines",
	} {
		if full[column] == 0 {
			t.Errorf("the circle tests nothing of %s", column)
		}
		delete(full, column)
	}
	if len(full) > 0 {
		t.Errorf("not expected of a person: %v; does an account's end know it?", full)
	}
	s.endAccount(zoe)
	s.addPasskeyRow(zoe) // as if a node of a version without passkeys had ended the account
	s.runAccountJobs()
	// Her posts stay as rows without text until they are pruned, and so do hides of them.
	if diff := gocmp.Diff(map[string]int{"posts.user_id": 6}, s.left(zoe)); diff != "" {
		t.Errorf("left of her (-want +got):\n%s", diff)
	}
	if n := one[int](s, `select count(*) from posts where user_id = $1 and deleted_at is null`, zoe); n != 0 {
		t.Errorf("%d posts are not deleted", n)
	}
	row := one[string](s, `
		select concat_ws('|', name, status, display_name, description, avatar_url, email, password_hash, admin) from users where id = $1`, zoe)
	if row != "zoe|deleted||||f" {
		t.Errorf("her row is %s", row)
	}
	if n := one[int](s, `select count(*) from timelines where their_id = $1 and what not in ('group', 'best_of', 'most_faved') and access <> 'closed'`, zoe); n != 0 {
		t.Errorf("%d of her timelines are not closed", n)
	}
	for _, table := range []string{"jobs", "earlier_texts"} {
		if n := one[int](s, `select count(*) from `+table); n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
	s.checkPosts()
	s.audit()
	s.wait(26 * time.Hour)
	s.must(s.PrunePrimary(ctx, Ages{}))
	if left := s.left(zoe); len(left) > 0 {
		t.Errorf("left of her when the log was pruned: %v", left)
	}
	s.audit()
}

// TestDeleteAccountIsAtOnce: when DeleteAccount has returned, no viewer can read what only Zoe wrote, and
// Zoe is signed out.
func TestDeleteAccountIsAtOnce(t *testing.T) {
	t.Parallel()
	s := newCircle(t, 1)
	ctx := t.Context()
	zoe := s.user("zoe")
	secret, err := s.NewSession(ctx, zoe, true, "")
	s.must(err)
	zoes := one[PostID](s, `select id from posts where user_id = $1 and cardinality(places) = 1 order by id limit 1`, zoe)
	bell, stop := s.ListenAccountJobs()
	defer stop()
	sessions := one[[]byte](s, `select token_hash from sessions where user_id = $1 and token_hash <> $2`, zoe, digest(secret))
	token := one[[]byte](s, `select token_hash from api_tokens where user_id = $1`, zoe)
	kinds, _ := userTimelines(StatusDeleted)
	closed := make([]TimelineID, len(kinds))
	for i, what := range kinds {
		closed[i] = s.timeline(what, "zoe")
	}
	got := s.changesOf(func() { s.must(s.DeleteAccount(ctx, zoe, zoesPassword)) })
	s.same([]Change{
		{Kind: ChangeAccess, User: zoe, Timelines: closed},
		{Kind: ChangeSession, User: zoe, Token: digest(secret)},
		{Kind: ChangeSession, User: zoe, Token: sessions},
		{Kind: ChangeSession, User: zoe, Token: token},
		{Kind: ChangeViewer, User: s.user("anna")}, // administers the attic, which Zoe asked to join
		{Kind: ChangeViewer, User: s.user("anna")}, // had an invitation of Zoe's
		{Kind: ChangeViewer, User: s.user("carl")}, // had asked for Zoe's sub-feed
		{Kind: ChangeViewer, User: zoe},
		{Kind: ChangeCard, User: zoe},
	}, got)
	select {
	case <-bell:
	default:
		t.Error("did not ring for the work that is left")
	}
	if _, err := s.Session(ctx, secret); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("her session: %v", err)
	}
	if cards, err := s.UserCards(ctx, []UserID{zoe}); err != nil || !cards[zoe].Gone() {
		t.Errorf("her card: %+v, %v", cards[zoe], err)
	}
	for _, viewer := range []UserID{0, s.user("bert")} {
		if _, err := s.FindPost(ctx, viewer, zoes); !errors.Is(err, ErrNotFound) {
			t.Errorf("user %d and a post of zoes: %v", viewer, err)
		}
	}
	if _, err := s.CreatePost(ctx, zoe, NewPost{To: []string{"user"}, Text: "x"}); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a post of zoes: %v", err)
	}
	if err := s.DeleteAccount(ctx, zoe, zoesPassword); !errors.Is(err, ErrUnauthorized) {
		t.Errorf("to delete it again: %v", err)
	}
}

// TestEraseJobAppendsItsChanges: the chunks of the job append the same changes to the log as the ordinary
// writes.
func TestEraseJobAppendsItsChanges(t *testing.T) {
	long(t)
	t.Parallel()
	s := newCircle(t, 1)
	zoe := s.user("zoe")
	s.endAccount(zoe)
	s.exec(`delete from suspension_jobs`) // whose changes are those of a suspension
	first := func(author string) PostID {
		return one[PostID](s, `select min(id) from posts where user_id = $1`, s.user(author))
	}
	berts, zoes := first("bert"), first("zoe")
	direct := one[PostID](s, `select max(id) from posts where user_id = $1`, s.user("bert"))
	alone := one[[]PostID](s, `select array_agg(id order by id) from posts where user_id = $1 and id <> $2`, zoe, zoes)
	kitchen := one[TimelineID](s, `select min(id) from timelines where what = 'group'`)
	bertsComments, bertsLikes := s.timeline(WhatUserComments, "bert"), s.timeline(WhatUserLikes, "bert")
	discussions, mentions := s.timeline(WhatDiscussions, "zoe"), s.timeline(WhatMentions, "zoe")
	named := one[[]PostID](s, `select array_agg(id order by id) from posts where user_id = $1`, s.user("carl"))
	want := []Change{
		{Kind: ChangePost, Post: zoes, PlaceChanged: true, Timelines: []TimelineID{
			s.timeline(WhatUser, "zoe"), kitchen, s.everything(), bertsComments, bertsLikes, discussions, s.timeline(WhatDiscussions, "bert")}},
		{Kind: ChangePost, Post: alone[0], PlaceChanged: true, Timelines: []TimelineID{s.timeline(WhatUserFYEO, "zoe"), discussions}},
		{Kind: ChangePost, Post: alone[1], PlaceChanged: true, Timelines: []TimelineID{s.timeline(WhatUserPrivate, "zoe"), s.everything(), discussions}},
		{Kind: ChangePost, Post: alone[2], PlaceChanged: true, Timelines: []TimelineID{
			s.timeline(WhatUserDirects, "zoe"), s.timeline(WhatUserDirects, "bert"), discussions}},
		{Kind: ChangePost, Post: berts, PlaceChanged: true, Timelines: []TimelineID{s.timeline(WhatUserComments, "zoe"), discussions}},
		{Kind: ChangePost, Post: named[0], Timelines: []TimelineID{s.timeline(WhatUserComments, "zoe"), discussions}},
		{Kind: ChangePost, Post: direct, Timelines: []TimelineID{s.timeline(WhatUserComments, "zoe"), discussions}},
		{Kind: ChangePost, Post: berts, Timelines: []TimelineID{s.timeline(WhatUserLikes, "zoe")}},
		{Kind: ChangePost, Post: berts, Timelines: []TimelineID{s.timeline(WhatUserFavs, "zoe")}},
		{Kind: ChangePost, Post: berts},
		{Kind: ChangePost, Post: direct, PlaceChanged: true, Timelines: []TimelineID{s.timeline(WhatUserDirects, "zoe")}},
		{Kind: ChangePost, Post: named[0], Timelines: []TimelineID{mentions}},
		{Kind: ChangePost, Post: named[1], Timelines: []TimelineID{mentions}},
		{Kind: ChangeViewer, User: s.user("bert")}, // subscribed to Zoe
		{Kind: ChangeViewer, User: s.user("dora")}, // was banned by Zoe
		{Kind: ChangeViewer, User: s.user("eva")},  // banned Zoe
		{Kind: ChangeViewer, User: s.user("anna")}, // was excluded by Zoe
		{Kind: ChangeViewer, User: s.user("anna")}, // hid Zoe
		{Kind: ChangeViewer, User: s.user("anna")}, // has Zoe on a list
		{Kind: ChangeViewer, User: s.user("anna")}, // muted Zoe
	}
	version := s.state(berts).Version
	got := s.changesOf(func() { s.runAccountJobs() })
	s.same(want, got)
	if st := s.state(berts); st.Version != version+4 || st.Comments != 1 || st.Likes != 0 {
		t.Errorf("a post that she had to do with is %+v; its version was %d", st, version)
	}
}

func TestRightToDeleteAnAccount(t *testing.T) {
	long(t)
	t.Parallel()
	s := newCircle(t, 1)
	ctx := t.Context()
	zoe, anna, carl := s.user("zoe"), s.user("anna"), s.user("carl")
	refused := func(what string, user UserID, password string, want error, say string) {
		t.Helper()
		before := s.fingerprint(ctx)
		err := s.DeleteAccount(ctx, user, password)
		_, invalid := errors.AsType[*InvalidError](err)
		if err == nil || want == nil != invalid || want != nil && !errors.Is(err, want) || !strings.Contains(err.Error(), say) {
			t.Errorf("%s: %v", what, err)
		}
		if s.fingerprint(ctx) != before {
			t.Errorf("%s: something was written", what)
		}
	}
	refused("a visitor", 0, "", ErrUnauthorized, "")
	refused("another password", zoe, "wrong horse", nil, "password is wrong")
	refused("no password at all", carl, "", nil, "password is not set yet")
	s.exec(`update users set admin = true where id = $1`, zoe)
	refused("the last administrator of the site", zoe, zoesPassword, ErrConflict, "the site")
	s.exec(`update users set admin = true where id = $1`, anna)
	for range 20 {
		if err := s.DeleteAccount(ctx, zoe, "wrong horse"); errors.Is(err, ErrThrottled) {
			break
		}
	}
	refused("too many guesses", zoe, zoesPassword, ErrThrottled, "")
	s.wait(time.Duration(boundOwner.burst) * boundOwner.pause)
	s.must(s.DeleteAccount(ctx, zoe, zoesPassword))
	s.runAccountJobs()
	s.audit()
}

// TestEraseJobWaitsForStragglers deletes an account while a write of its owner still runs, and
// commits the write after the job erased the rest: the job erases the write's rows too.
func TestEraseJobWaitsForStragglers(t *testing.T) {
	long(t)
	t.Parallel()
	s := newCircle(t, 1)
	ctx := t.Context()
	zoe := s.user("zoe")
	straggler, err := s.db.Pool.Begin(ctx)
	s.must(err)
	s.exec(`select 1`)
	s.endAccount(zoe)
	s.runAccountJobs()
	if n := one[int](s, `select count(*) from jobs`); n != 1 {
		t.Fatalf("%d jobs, while she may still write", n)
	}
	// The job of another account does not wait for the straggler.
	bert := s.user("bert")
	s.must(s.SetPassword(ctx, bert, zoesPassword))
	s.endAccount(bert)
	s.runAccountJobs()
	if left := s.left(bert); left["comments.user_id"]+left["subscriptions.user_id"] > 0 {
		t.Errorf("left of another: %v", left)
	}
	_, err = straggler.Exec(ctx, `insert into hidden_posts select $1, max(id) from posts where user_id <> $1`, zoe)
	s.must(err)
	s.must(straggler.Commit(ctx))
	s.runAccountJobs()
	if left := s.left(zoe); left["hidden_posts.user_id"] != 0 {
		t.Errorf("left of her: %v", left)
	}
	if n := one[int](s, `select count(*) from jobs`); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
	s.audit()
}

// lasting returns the rows of the primary, without columns that differ from run to run.
func (s *site) lasting() map[string]string {
	s.t.Helper()
	all := make(map[string]string)
	for _, table := range []string{
		"users", "groups", "group_admins", "timelines", "timeline_excluded", "posts", "timeline_entries", "comments", "likes", "favs",
		"comment_likes", "attachments", "earlier_texts", "subscriptions", "bans", "hidden_posts", "hidden_users", "lists", "list_members", "muted", "jobs",
	} {
		// The ids of timelines differ from run to run, so the rows have names instead. Times of rows
		// that were written without the store are those of the real clock.
		row := `to_jsonb(t) - '{created_at,password_hash,timeline_id,places}'::text[]`
		switch table {
		case "timelines":
			row += ` - 'id'`
		case "posts":
			row += ` || jsonb_build_object('in', array(select what || their_id from timelines where id = any(places) order by 1))`
		case "timeline_excluded", "timeline_entries", "subscriptions", "list_members", "muted":
			row += ` || jsonb_build_object('timeline', (select what || their_id from timelines where id = t.timeline_id))`
		}
		all[table] = one[string](s, fmt.Sprintf(`
			select coalesce(string_agg(row, chr(10) order by row), '') from (select (%s)::text as row from %s t) r`, row, table))
	}
	return all
}

var errKilled = errors.New("killed")

// TestEraseJobKilledAtEachChunk stops the job in each chunk, before its commit: by the end of
// the context and by the loss of the connection, in turn. Another store continues the job each
// time.
func TestEraseJobKilledAtEachChunk(t *testing.T) {
	long(t)
	t.Parallel()
	const posts = 120 // more than a chunk of each kind
	whole, killed := newCircle(t, posts), newCircle(t, posts)
	for _, s := range []*site{whole, killed} {
		s.endAccount(s.user("zoe"))
	}
	want := whole.runAccountJobs()
	stores := []*Store{killed.Store}
	for range 2 {
		other := New(pgtest.Open(t, killed.db.Pool.Config().ConnString()), Options{Now: func() time.Time { return killed.clock }})
		stores = append(stores, other)
	}
	chunks := 0
	for try := 0; one[int](killed, `select count(*) from jobs`) > 0; try++ {
		s, next := stores[try%3], stores[(try+1)%3]
		ctx, cancel := context.WithCancel(t.Context())
		broken := false
		err := s.write(ctx, func(tx *txn) error {
			if broken { // the job tries again after the connection was lost
				return errKilled
			}
			broken = true
			if _, err := s.runAccountJob(ctx, tx); err != nil {
				return err
			}
			switch try % 3 {
			case 0:
				return errKilled
			case 1:
				cancel()
			case 2:
				pid := tx.Conn().PgConn().PID()
				if _, err := next.db.Pool.Exec(t.Context(), `select pg_terminate_backend($1)`, pid); err != nil {
					return err
				}
				_, err := tx.Exec(ctx, `select 1`)
				return err
			}
			return nil
		})
		cancel()
		if !errors.Is(err, errKilled) && !errors.Is(err, context.Canceled) {
			t.Fatalf("killed in chunk %d: %v", chunks, err)
		}
		// The server may still hold the locks of a dead connection.
		more, err := next.RunAccountJob(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if more {
			chunks++
		}
		if try%10 == 0 {
			killed.checkPosts()
			killed.audit()
		}
	}
	if chunks != want {
		t.Errorf("%d chunks, %d without a kill", chunks-1, want)
	}
	if diff := gocmp.Diff(whole.lasting(), killed.lasting()); diff != "" {
		t.Errorf("ends otherwise (-whole +killed):\n%s", diff)
	}
	killed.checkPosts()
	killed.audit()
}

// TestEraseJobTogether has several workers erase two accounts at the same time, while people write.
func TestEraseJobTogether(t *testing.T) {
	racetest.Long(t)
	t.Parallel()
	s := newCircle(t, 40)
	ctx := t.Context()
	s.pace = time.Second
	bert, carl := s.user("bert"), s.user("carl")
	s.must(s.SetPassword(ctx, bert, zoesPassword))
	s.endAccount(s.user("zoe"))
	s.endAccount(bert)
	posts := one[[]PostID](s, `select array_agg(id) from posts where user_id in ($1, $2)`, bert, s.user("zoe"))
	var wg sync.WaitGroup
	for range 3 {
		store := New(s.Pool(), Options{Now: s.db.Now})
		wg.Go(func() {
			for one := range 200 {
				more, err := store.RunAccountJob(ctx)
				if err != nil {
					t.Errorf("work off: %v", err)
				}
				if !more && one > 100 {
					return
				}
			}
		})
	}
	wg.Go(func() {
		for _, post := range posts {
			for _, err := range []error{s.Like(ctx, carl, post), s.Unlike(ctx, carl, post)} {
				if err != nil && !errors.Is(err, ErrNotFound) {
					t.Errorf("like: %v", err)
				}
			}
			if _, err := s.AddComment(ctx, carl, post, NewComment{Text: "hm"}); err != nil && !errors.Is(err, ErrNotFound) {
				t.Errorf("comment: %v", err)
			}
		}
	})
	wg.Wait()
	s.runAccountJobs()
	if n := one[int](s, `select count(*) from jobs`); n != 0 {
		t.Errorf("%d jobs are left", n)
	}
	s.checkPosts()
	s.audit()
}

// TestDeletedAccountGetsNoSession: while an account is being deleted, or later, no session, link
// or token can be made for it. The erase job would not find the new row, which would stay for
// ever.
func TestDeletedAccountGetsNoSession(t *testing.T) {
	t.Parallel()
	s := newSite(t, "anna")
	ctx, anna := t.Context(), s.user("anna")
	makes := map[string]func() error{
		"session": func() error { _, err := s.NewSession(ctx, anna, true, ""); return err },
		"link":    func() error { _, err := s.NewLink(ctx, anna); return err },
		"token": func() error {
			_, err := s.NewToken(ctx, anna, TokenSpec{Name: "a program", Scopes: AllScopes})
			return err
		},
		"address": func() error { _, _, err := s.NewFeedAddress(ctx, anna, FeedAddress{Page: "/"}); return err },
	}
	s.exec(`update users set password_hash = 'a hash' where id = $1`, anna)
	err := s.meanwhile(func(tx *txn) error { return s.deleteAccount(ctx, tx, anna, "a hash") }, makes["token"])
	if !errors.Is(err, ErrUnauthorized) {
		t.Errorf("a token beside the deletion: %v", err)
	}
	s.exec(`update users set erase_at = $2 where id = $1`, anna, s.db.Now())
	s.must(s.EraseAccounts(ctx))
	s.runAccountJobs()
	for what, make := range makes {
		if err := make(); !errors.Is(err, ErrUnauthorized) {
			t.Errorf("a %s after the deletion: %v", what, err)
		}
	}
	const left = `
		select (select count(*) from sessions where user_id = $1) + (select count(*) from api_tokens where user_id = $1)
			+ (select count(*) from sign_in_links where user_id = $1) + (select count(*) from feed_addresses where user_id = $1)`
	if n := one[int](s, left, anna); n != 0 {
		t.Errorf("%d sessions, links and tokens are left", n)
	}
}
