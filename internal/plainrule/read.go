package plainrule

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Read reads the whole primary in one transaction, so that it sees one state.
func Read(ctx context.Context, pool *pgxpool.Pool) (*Site, error) {
	s := New()
	err := pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		var b pgx.Batch
		s.readAccounts(&b)
		s.readFeeds(&b)
		s.readPosts(&b)
		s.readBetween(&b)
		s.readChosen(&b)
		return tx.SendBatch(ctx, &b).Close()
	})
	if err != nil {
		return nil, fmt.Errorf("read the whole site: %w", err)
	}
	return s, nil
}

// each queues a query, and a function that is called for each of its rows.
func each(b *pgx.Batch, query string, dest []any, row func()) {
	b.Queue(query).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, dest, func() error {
			row()
			return nil
		})
		return err
	})
}

func (s *Site) readAccounts(b *pgx.Batch) {
	const people = `select id, name, display_name, status, suspended_at is not null, withheld, admin, own_posts, notices_off from users`
	const names = `select name, their_id from names where what = 'user'`
	const groups = `select id, name, status, posting from groups`
	const admins = `select group_id, user_id from group_admins`
	const jobs = `select user_id from jobs union select user_id from suspension_jobs`
	var p Person
	each(b, people, []any{&p.ID, &p.Name, &p.DisplayName, &p.Status, &p.Suspended, &p.Withheld, &p.Admin, &p.OwnPosts, &p.NoticesOff}, func() {
		one := p
		s.People[p.ID] = &one
		p.NoticesOff = nil
	})
	var name string
	var owner int64
	each(b, names, []any{&name, &owner}, func() { s.Names[name] = owner })
	var g Group
	each(b, groups, []any{&g.ID, &g.Name, &g.Status, &g.Posting}, func() {
		one := g
		one.Admins = make(map[int64]bool)
		s.Groups[g.ID] = &one
	})
	var group, user int64
	each(b, admins, []any{&group, &user}, func() { s.Groups[group].Admins[user] = true })
	each(b, jobs, []any{&user}, func() { s.People[user].atWork = true })
}

func (s *Site) readFeeds(b *pgx.Batch) {
	const feeds = `select id, what, their_id from timelines`
	const subscriptions = `select user_id, timeline_id, coalesce(since, 0), (extract(epoch from created_at) * 1000)::bigint from subscriptions`
	const excluded = `select user_id, timeline_id from timeline_excluded`
	var f Feed
	each(b, feeds, []any{&f.ID, &f.What, &f.Their}, func() {
		one := f
		one.Subscribers, one.Excluded = make(map[int64]Subscription), make(map[int64]bool)
		s.Feeds[f.ID] = &one
	})
	var user, feed, since, began int64
	each(b, subscriptions, []any{&user, &feed, &since, &began}, func() { s.Feeds[feed].Subscribers[user] = Subscription{since, began} })
	each(b, excluded, []any{&user, &feed}, func() { s.Feeds[feed].Excluded[user] = true })
}

func (s *Site) readPosts(b *pgx.Batch) {
	const posts = `
		select id, user_id, text, lang, (extract(epoch from published_at) * 1000)::bigint, comments_disabled, places,
			fresh_at, comments_count, likes_count, favs_count, withheld
		from posts where deleted_at is null`
	const entries = `select post_id, timeline_id, entered_at, coalesce(rank, 0) from timeline_entries`
	const comments = `
		select post_id, id, user_id, text, (extract(epoch from created_at) * 1000000)::bigint, bumps, likes_count, withheld
		from all_comments order by post_id, created_at, id`
	const commentLikes = `select post_id, comment_id, user_id, withheld from all_comment_likes`
	const likes = `
		select post_id, user_id, (extract(epoch from created_at) * 1000000)::bigint, withheld
		from all_likes order by post_id, created_at, user_id`
	const favs = `select post_id, user_id, withheld from all_favs`
	const files = `
		select coalesce(post_id, 0), coalesce(comment_id, 0), id, file_name, alt, kind, state = 'ready' from attachments
		where post_id is not null or comment_id is not null order by position, id`
	const earlier = `select post_id, coalesce(comment_id, 0), text, places from earlier_texts order by id`
	const previews = `
		select p.id, v.title, v.about from posts p join previews v on v.id = p.preview_id
		where v.state = 'ready' and p.link_preview and not exists (select from site_settings where value->>'link_previews' = 'false')`
	var p Post
	each(b, posts, []any{&p.ID, &p.Author, &p.Text, &p.Lang, &p.Published, &p.CommentsDisabled, &p.Places,
		&p.storedFresh, &p.storedComments, &p.storedLikes, &p.storedFavorites, &p.withheld}, func() {
		one := p
		one.Entered, one.Ranks, one.Favs, one.withheldFavs = make(map[int64]int64), make(map[int64]int64), make(map[int64]bool), make(map[int64]bool)
		s.Posts[p.ID] = &one
		p.Places = nil
	})
	var post, user, other, at, rank int64
	each(b, `select post_id from held_posts`, []any{&post}, func() {
		if one := s.Posts[post]; one != nil {
			one.Held = true
		}
	})
	// The rows of deleted posts are collected on one post that is not part of the site.
	orphan := &Post{Entered: make(map[int64]int64), Ranks: make(map[int64]int64), Favs: make(map[int64]bool), withheldFavs: make(map[int64]bool)}
	on := func() *Post {
		if one := s.Posts[post]; one != nil {
			return one
		}
		return orphan
	}
	each(b, entries, []any{&post, &other, &at, &rank}, func() {
		on().Entered[other] = at
		if rank != 0 {
			on().Ranks[other] = rank
		}
	})
	var c Comment
	var withheld bool
	said := make(map[int64]*Comment)
	each(b, comments, []any{&post, &c.ID, &c.Author, &c.Text, &c.Created, &c.Bumps, &c.storedLikes, &withheld}, func() {
		one := c
		one.Likes = make(map[int64]bool)
		said[c.ID] = &one
		if withheld {
			on().withheldComments = append(on().withheldComments, &one)
		} else {
			on().Comments = append(on().Comments, &one)
		}
	})
	each(b, commentLikes, []any{&post, &other, &user, &withheld}, func() {
		if withheld {
			on().withheldOnLikes = append(on().withheldOnLikes, user)
		} else {
			said[other].Likes[user] = true
		}
	})
	each(b, likes, []any{&post, &user, &at, &withheld}, func() {
		if withheld {
			on().withheldLikes = append(on().withheldLikes, Like{user, at})
		} else {
			on().Likes = append(on().Likes, Like{user, at})
		}
	})
	each(b, favs, []any{&post, &user, &withheld}, func() {
		if withheld {
			on().withheldFavs[user] = true
		} else {
			on().Favs[user] = true
		}
	})
	var was Earlier
	each(b, earlier, []any{&post, &other, &was.Text, &was.Places}, func() {
		if c := said[other]; c != nil {
			c.Earlier = append(c.Earlier, was)
		} else {
			on().Earlier = append(on().Earlier, was)
		}
		was.Places = nil
	})
	var one Preview
	each(b, previews, []any{&post, &one.Title, &one.About}, func() { on().Previews = append(on().Previews, one) })
	var f File
	var ready bool
	each(b, files, []any{&post, &other, &f.ID, &f.Name, &f.Alt, &f.Kind, &ready}, func() {
		c := said[other]
		switch {
		case c != nil && ready:
			c.Files = append(c.Files, f)
		case c != nil:
			c.Unready = append(c.Unready, f)
		case ready:
			on().Files = append(on().Files, f)
		default:
			on().Unready = append(on().Unready, f)
		}
	})
}

func (s *Site) readBetween(b *pgx.Batch) {
	const bans = `select user_id, target_id from bans`
	const hiddenPosts = `select user_id, post_id from hidden_posts`
	const hiddenPeople = `select user_id, target_id, posts, comments from hidden_users`
	var user, other int64
	var posts, comments bool
	each(b, bans, []any{&user, &other}, func() { s.Bans[[2]int64{user, other}] = true })
	each(b, hiddenPosts, []any{&user, &other}, func() { s.HiddenPosts[[2]int64{user, other}] = true })
	each(b, hiddenPeople, []any{&user, &other, &posts, &comments}, func() {
		if posts {
			s.HiddenPeople[[2]int64{user, other}] = true
		}
		if comments {
			s.HiddenComments[[2]int64{user, other}] = true
		}
	})
}

// readChosen reads lists and mutes, hashtags, requests and invitations, the setting of lift,
// and notices.
func (s *Site) readChosen(b *pgx.Batch) {
	const muted = `select user_id, timeline_id from muted`
	const lists = `select id, user_id, name from lists`
	const members = `select list_id, timeline_id from list_members`
	const hashtags = `select id, name from hashtags`
	const requests = `select user_id, timeline_id from subscription_requests`
	const invitations = `select user_id, timeline_id, from_id from invitations`
	const lift = `select coalesce((value->>'lift')::boolean, true) from site_settings`
	const notices = `
		select id, user_id, kind, coalesce(by_id, 0), coalesce(post_id, 0), coalesce(comment_id, 0), coalesce(timeline_id, 0), coalesce(intake_id, 0), coalesce(report_id, 0), read_at is not null
		from notices order by id`
	const reports = `
		select r.id, r.by_id, coalesce(r.group_id, 0), r.user_id, coalesce(r.post_id, 0), coalesce(r.comment_id, 0), r.reason, coalesce(j.act, '')
		from reports r left join journal j on j.id = r.journal_id`
	var one, other int64
	var name string
	each(b, muted, []any{&one, &other}, func() { s.Muted[[2]int64{one, other}] = true })
	each(b, lists, []any{&one, &other, &name}, func() { s.Lists[one] = &List{one, other, name, make(map[int64]bool)} })
	each(b, members, []any{&one, &other}, func() { s.Lists[one].Members[other] = true })
	each(b, hashtags, []any{&one, &name}, func() { s.Hashtags[one] = name })
	each(b, requests, []any{&one, &other}, func() { s.Requests[[2]int64{one, other}] = true })
	var from int64
	each(b, invitations, []any{&one, &other, &from}, func() { s.Invitations[[2]int64{one, other}] = from })
	each(b, lift, []any{&s.Lift}, func() {})
	const intakes = `select id, user_id, timeline_id from intakes where fault <> ''`
	var i Intake
	each(b, intakes, []any{&one, &i.User, &i.Feed}, func() { s.Intakes[one] = i })
	const waiting = `select 'applicant' from applicants where refused_at is null union select 'held' from held_posts where journal_id is null or changed`
	var kind string
	each(b, waiting, []any{&kind}, func() { s.Waiting[kind] = true })
	var r Report
	each(b, reports, []any{&r.ID, &r.By, &r.Group, &r.User, &r.Post, &r.Comment, &r.Reason, &r.Act}, func() {
		one := r
		s.Reports[r.ID] = &one
	})
	var n Notice
	each(b, notices, []any{&n.ID, &n.User, &n.Kind, &n.By, &n.Post, &n.Comment, &n.Feed, &n.Intake, &n.Report, &n.Read}, func() { s.Notices = append(s.Notices, n) })
}
