-- Every kind of river: discussions, languages, hashtags, mentions, rankings,
-- search and lists; also notices, and where readers left off.

-- +goose Up

-- A person's discussions hold the posts that the person wrote or commented on.
alter table timelines drop constraint timelines_what_check;
alter table timelines add constraint timelines_what_check check (what in ('user', 'user_private', 'user_fyeo',
	'user_directs', 'group', 'user_likes', 'user_comments', 'user_favs', 'user_discussions', 'mentions', 'hashtag',
	'everything', 'best_of', 'most_faved'));
insert into timelines (what, their_id, access)
select 'user_discussions', id, case status when 'deleted' then 'closed' else 'owner' end from users;
insert into timeline_entries (timeline_id, post_id, fresh_at, entered_at)
select t.id, p.id, p.fresh_at, (extract(epoch from p.published_at) * 1000)::bigint
from posts p join timelines t on t.what = 'user_discussions' and t.their_id = p.user_id
where p.deleted_at is null
union all
select t.id, p.id, p.fresh_at, (extract(epoch from min(c.created_at)) * 1000)::bigint
from comments c
join posts p on p.id = c.post_id and p.deleted_at is null and p.user_id <> c.user_id
join timelines t on t.what = 'user_discussions' and t.their_id = c.user_id
group by t.id, p.id;

-- Posts by the time of their publication, which their ids contain: for the order by
-- publication, and for the calendar.
create index timeline_entries_created on timeline_entries (timeline_id, post_id desc);
create index posts_fresh on posts (fresh_at desc, id desc) where deleted_at is null;

-- The language of a post, and whether its author chose the language.
alter table posts add column lang_given boolean not null default false;

-- Whether a comment made its post fresh; the site setting bump decides.
alter table comments add column bumps boolean not null default true;

-- When a post first entered a filter timeline that it has left since.
create table timeline_left (
	post_id     bigint not null references posts,
	timeline_id bigint not null references timelines,
	entered_at  bigint not null,
	primary key (post_id, timeline_id)
);
create index timeline_left_timeline on timeline_left (timeline_id);

create table hashtags (
	id   bigint generated always as identity primary key,
	name text not null unique -- in lower case, without the #
);

-- The mentions: each text, its author, and the person it names.
create table mentions (
	post_id    bigint not null references posts,
	comment_id bigint references comments on delete cascade, -- null: in the text of the post
	by_id      bigint not null references users,
	user_id    bigint not null references users,
	unique nulls not distinct (post_id, comment_id, user_id)
);
create index mentions_user on mentions (user_id);
create index mentions_by on mentions (by_id);
create index mentions_comment on mentions (comment_id) where comment_id is not null;

-- The words that searches look at. They have a table of their own, because the row of a post is
-- written again with each like.
-- +goose StatementBegin
create function search_config(lang text) returns regconfig
language sql immutable parallel safe as $$
	select case lang
		when 'ar' then 'pg_catalog.arabic' when 'da' then 'pg_catalog.danish' when 'nl' then 'pg_catalog.dutch'
		when 'fi' then 'pg_catalog.finnish' when 'fr' then 'pg_catalog.french' when 'de' then 'pg_catalog.german'
		when 'hu' then 'pg_catalog.hungarian' when 'it' then 'pg_catalog.italian' when 'no' then 'pg_catalog.norwegian'
		when 'pt' then 'pg_catalog.portuguese' when 'ro' then 'pg_catalog.romanian' when 'es' then 'pg_catalog.spanish'
		when 'sv' then 'pg_catalog.swedish' when 'tr' then 'pg_catalog.turkish'
		else 'pg_catalog.russian' -- which takes words in Latin letters for English
	end::regconfig
$$;
-- +goose StatementEnd
create table post_words (
	post_id bigint primary key references posts,
	words   tsvector not null
);
create index post_words_words on post_words using gin (words);
insert into post_words (post_id, words) select id, to_tsvector(search_config(lang), text) from posts where deleted_at is null;
alter table comments add column words tsvector not null default '';
update comments c set words = to_tsvector(search_config(p.lang), c.text) from posts p where p.id = c.post_id;
create index comments_words on comments using gin (words);

create table saved_searches (
	id      bigint generated always as identity primary key,
	user_id bigint not null references users,
	name    text not null,
	query   text not null
);
create unique index saved_searches_name on saved_searches (user_id, lower(name));

-- Indexes to find people and groups by name.
create index users_words on users using gin (to_tsvector('simple', name || ' ' || display_name));
create index groups_words on groups using gin (to_tsvector('simple', name || ' ' || display_name || ' ' || description));

-- Rankings: the order of best_of and most_faved. timeline_entries has the present rank of each
-- entry. The table rankings keeps the ranks of earlier runs, so that a reader who goes from page
-- to page sees pages of the same run.
alter table timeline_entries add column rank bigint;
create index timeline_entries_rank on timeline_entries (timeline_id, rank desc, post_id desc) where rank is not null;
create table ranking_runs (
	run bigint generated always as identity primary key,
	at  timestamptz(3) not null default now()
);
create table rankings (
	timeline_id bigint not null references timelines,
	post_id     bigint not null references posts,
	rank        bigint not null,
	from_run    bigint not null,
	to_run      bigint, -- the run that ended the rank; null: the present rank
	primary key (timeline_id, post_id, from_run)
);
create index rankings_order on rankings (timeline_id, rank desc, post_id desc);
create index rankings_post on rankings (post_id);
create index rankings_ended on rankings (to_run) where to_run is not null;
insert into timelines (what, their_id, access)
select what, period, 'public' from unnest(array['best_of', 'most_faved']) what, generate_series(0, 3) period;

-- The settings of the site: administrators set them, and all nodes use them.
create table site_settings (
	one   boolean primary key default true check (one),
	value jsonb not null default '{}'
);
insert into site_settings default values;

-- Lists: home pages over chosen feeds.
create unique index lists_name on lists (user_id, lower(name));

-- Mutes: the timelines, of the kinds user_likes and user_comments, that bring no posts
-- into a person's home.
create table muted (
	user_id     bigint not null references users,
	timeline_id bigint not null references timelines,
	primary key (user_id, timeline_id)
);
create index muted_timeline on muted (timeline_id);

-- Whether a home shows its owner's own posts, and which notices a person turned off.
alter table users add column own_posts boolean not null default true;
alter table users add column notices_off text[] not null default '{}';

-- Where a reader left off on each page: the newest entry seen in the last visit, and the
-- newest entry seen in the visit before.
create table left_off (
	user_id   bigint not null references users,
	page      text not null,
	seen_at   bigint not null, -- the newest entry that the reader was shown: its fresh_at,
	seen_post bigint not null, -- and its post
	at        timestamptz(3) not null,
	was_at    bigint not null default 0, -- the same at the end of the visit before; 0: there was none
	was_post  bigint not null default 0,
	was       timestamptz(3),
	primary key (user_id, page)
);

-- Notices of a person. The visibility rule is applied when a notice is shown.
create table notices (
	id          bigint generated always as identity primary key,
	user_id     bigint not null references users, -- the person who is notified
	kind        text not null check (kind in ('mention', 'direct', 'comment', 'like', 'comment_like', 'request', 'invitation', 'subscriber')),
	by_id       bigint not null references users, -- the person who acted
	post_id     bigint references posts,
	comment_id  bigint references comments on delete cascade,
	timeline_id bigint references timelines, -- the feed of the request or the subscription
	created_at  timestamptz(3) not null default now(),
	read_at     timestamptz(3),
	unique nulls not distinct (user_id, kind, by_id, post_id, comment_id, timeline_id)
);
create index notices_user on notices (user_id, id desc);
create index notices_unread on notices (user_id, id desc) where read_at is null;
create index notices_by on notices (by_id);
create index notices_post on notices (post_id) where post_id is not null;
create index notices_comment on notices (comment_id) where comment_id is not null;
create index notices_timeline on notices (timeline_id) where timeline_id is not null;
create index notices_read on notices (read_at) where read_at is not null; -- this index and the next one find old notices to delete
create index notices_created on notices (created_at);

-- The change log gets a kind of change for a person's notices, and a mark for changes of the
-- words of a post.
alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check check (kind in ('post', 'viewer', 'access', 'card', 'session', 'notice'));
alter table changes add column worded boolean not null default false; -- post: its text, its language or the text of a comment changed
alter table change_log add column worded boolean not null default false;
-- +goose StatementBegin
create or replace function sequence_changes(batch int default 1000) returns bigint
language plpgsql volatile as $$
declare
	head  bigint;
	moved bigint;
begin
	if not exists (select from changes) then
		select position into head from log_head;
		return head;
	end if;
	select position into head from log_head for update;
	with taken as (
		delete from changes where id in (select id from changes order by id limit batch) returning *
	), logged as (
		insert into change_log (position, nonce, change_id, kind, post_id, user_id, group_id, timelines, moved, worded, token, at)
		select head + row_number() over (order by t.id), gen_random_uuid(), t.id, t.kind, t.post_id, t.user_id, t.group_id, t.timelines, t.moved, t.worded, t.token, t.at
		from taken t
		returning 1
	)
	select count(*) into moved from logged;
	if moved > 0 then
		head := head + moved;
		update log_head set position = head;
		perform pg_notify('amstel', '');
	end if;
	return head;
end
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
create or replace function sequence_changes(batch int default 1000) returns bigint
language plpgsql volatile as $$
declare
	head  bigint;
	moved bigint;
begin
	if not exists (select from changes) then
		select position into head from log_head;
		return head;
	end if;
	select position into head from log_head for update;
	with taken as (
		delete from changes where id in (select id from changes order by id limit batch) returning *
	), logged as (
		insert into change_log (position, nonce, change_id, kind, post_id, user_id, group_id, timelines, moved, token, at)
		select head + row_number() over (order by t.id), gen_random_uuid(), t.id, t.kind, t.post_id, t.user_id, t.group_id, t.timelines, t.moved, t.token, t.at
		from taken t
		returning 1
	)
	select count(*) into moved from logged;
	if moved > 0 then
		head := head + moved;
		update log_head set position = head;
		perform pg_notify('amstel', '');
	end if;
	return head;
end
$$;
-- +goose StatementEnd
alter table change_log drop column worded;
alter table changes drop column worded;
delete from changes where kind = 'notice';
alter table changes drop constraint changes_kind_check;
alter table changes add constraint changes_kind_check check (kind in ('post', 'viewer', 'access', 'card', 'session'));
drop table notices, left_off, muted, site_settings, rankings, ranking_runs, saved_searches, post_words, mentions, timeline_left;
alter table users drop column notices_off, drop column own_posts;
drop index lists_name, groups_words, users_words, posts_fresh, timeline_entries_created;
delete from timeline_entries e using timelines t
where t.id = e.timeline_id and (t.what in ('user_discussions', 'mentions', 'hashtag', 'best_of', 'most_faved') or t.what = 'everything' and t.their_id <> 0);
delete from timelines t where t.what in ('user_discussions', 'hashtag', 'best_of', 'most_faved') or t.what = 'everything' and t.their_id <> 0;
alter table timeline_entries drop column rank;
drop table hashtags;
alter table comments drop column words, drop column bumps;
alter table posts drop column lang_given;
drop function search_config;
alter table timelines drop constraint timelines_what_check;
alter table timelines add constraint timelines_what_check check (what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group',
	'user_likes', 'user_comments', 'user_favs', 'mentions', 'hashtag', 'everything', 'best_of', 'most_faved'));
