package audit_test

import "testing"

// TestFaultsOfKinds makes faults in filter timelines, rankings, lists, mutes and notices, and checks
// that the audit reports each in the wanted words.
func TestFaultsOfKinds(t *testing.T) {
	t.Parallel()
	const borscht = `(select id from posts where text like 'Борщ%')`
	const likes = `(select id from timelines where what = 'user_likes' and their_id = 1)`
	const best = `(select id from timelines where what = 'best_of' and their_id = 0)`
	const ranked = `insert into timeline_entries select ` + best + `, id, fresh_at, fresh_at, 5 from posts where id = ` + borscht
	const told = `insert into notices (user_id, kind, by_id, post_id, comment_id) select `
	for _, tt := range []struct{ name, fault, want string }{
		{"a comment that bumps nothing made a post fresh", `update comments set bumps = false where post_id = ` + borscht, "fresh_at is 1433525400000, should be"},
		{"a tag is not kept", `update posts set text = text || ' #вода' where id = ` + borscht, "is under the tags {}, should be under {вода}"},
		{"a tag in an address is kept", `
			with h as (insert into hashtags (name) values ('x') returning id),
			t as (insert into timelines (what, their_id, access) select 'hashtag', id, 'public' from h returning id),
			p as (update posts set text = 'https://example.org/#x' where id = ` + borscht + ` returning id, fresh_at)
			insert into timeline_entries select t.id, p.id, p.fresh_at, p.fresh_at from t, p`, "is under the tags {x}, should be under {}"},
		{"a name is not kept", `update posts set text = text || ' @Anna,' where id = ` + borscht, "is not kept as naming user 1"},
		{"a name is not in the text", `insert into mentions select id, null, user_id, 1 from posts where id = ` + borscht, "does not name user 1"},
		{"a mention is in no timeline", `insert into mentions select id, null, user_id, 1 from posts where id = ` + borscht, "is missing in mentions of 1"},
		{"words of a post are others", `update posts set text = 'Борщ and more' where id = ` + borscht, "its words are"},
		{"words of a comment are others", `update comments set text = 'Суп' where post_id = ` + borscht, "its words are"},
		{"a discussion is not kept", `delete from timeline_entries where timeline_id in (select id from timelines where what = 'user_discussions') and post_id = ` + borscht, "is missing in user_discussions of"},
		{"a language is not kept", `update posts set lang = case lang when '' then 'eo' else '' end where id = ` + borscht, ": is in everything of the languages {"},
		{"a timeline has posts of two languages", `
			with t as (insert into timelines (what, their_id, access) values ('everything', 9999, 'public') returning id),
			p as (update posts set lang = case when id = ` + borscht + ` then 'eo' else 'la' end where deleted_at is null returning id, fresh_at)
			insert into timeline_entries select t.id, p.id, p.fresh_at, p.fresh_at from t, p`, "everything of 9999: has posts in 2 languages"},
		{"the site's timeline is closed", `update timelines set access = 'owner' where what = 'everything' and their_id = 0`, "everything of 0: access is owner, should be public"},
		{"a hashtag's timeline has no hashtag", `insert into timelines (what, their_id, access) values ('hashtag', 99, 'public')`, "hashtag of 99: has no owner"},
		{"an entry is there and left", `insert into timeline_left select post_id, timeline_id, entered_at from timeline_entries where post_id = ` + borscht, "is there, and left it"},
		{"an entry has a rank that was not given", ranked, "rank is 5, the open ranking's none"},
		{"an entry of a ranking has no rank", `insert into timeline_entries select ` + best + `, id, fresh_at, fresh_at from posts where id = ` + borscht, "in best_of of 0: rank is none"},
		{"a rank is where no order is", `update timeline_entries set rank = 1 where post_id = ` + borscht, "rank is 1"},
		{"a ranked post has no entry", `insert into rankings select ` + best + `, id, 7, 1 from posts where id = ` + borscht, "rank is none, the open ranking's 7"},
		{"two rankings are open", `insert into rankings select ` + best + `, id, 7, n from posts, generate_series(1, 2) n where id = ` + borscht, "2 rankings are open"},
		{"a ranking ended after the next", `insert into rankings select ` + best + `, id, 7, n, n + 2 from posts, generate_series(1, 2) n where id = ` + borscht, "the ranking of run 1 ended in run 3"},
		{"a list has likes", `
			with l as (insert into lists (user_id, name) values (2, 'near') returning id)
			insert into list_members select id, ` + likes + ` from l`, "has user_likes of 1"},
		{"a feed is muted", `insert into muted select 1, id from timelines where what = 'user' and their_id = 2`, "mutes user of 2: it can't be muted"},
		{"a person mutes themselves", `insert into muted values (1, ` + likes + `)`, "mutes user_likes of 1: it can't be muted"},
		{"a notice is about a person's own action", told + `user_id, 'like', user_id, id, null from posts where id = ` + borscht, "it is about their own action"},
		{"a like is told that is not there", told + `user_id, 'like', case user_id when 7 then 8 else 7 end, id, null from posts where id = ` + borscht, "there is no such like"},
		{"another is told of a comment", told + `8, 'comment', c.user_id, p.id, c.id from posts p join comments c on c.post_id = p.id where p.user_id <> 8 and c.user_id <> 8 limit 1`, "the post is another's"},
		{"a mention is by another than the author", told + `8, 'mention', case user_id when 7 then 6 else 7 end, id, null from posts where id = ` + borscht, "another wrote it"},
		{"a notice of a subscription is of no feed", `insert into notices (user_id, kind, by_id) values (1, 'subscriber', 2)`, "it is about no feed"},
		{"another is told of an imported feed", `
			with i as (
				insert into intakes (user_id, timeline_id, address, host, title, site, state, created_at, due_at)
				select 1, id, '', '', '', '', 'on', now(), now() from timelines where what = 'user' and their_id = 1 returning id, timeline_id)
			insert into notices (user_id, kind, intake_id, timeline_id) select 2, 'intake', id, timeline_id from i`, "the imported feed is another's"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			found(t, tt.fault, tt.want)
		})
	}
}
