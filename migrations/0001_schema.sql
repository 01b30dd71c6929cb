-- The primary: the only truth. A timeline is a stored, ordered set of posts. A river is the
-- posts that one viewer sees on one page; rivers are not stored here. docs/glossary.md has
-- the other words.

-- +goose Up

create sequence id_sequence;

-- next_id returns a time-ordered id of 53 bits, which fits a JSON number: 31 bits of
-- seconds since 2000, 4 bits of shard, 18 bits of a sequence. The sequence makes ids
-- unique, so a clock that steps back makes no duplicate.
-- +goose StatementBegin
create function next_id(at timestamptz default clock_timestamp(), shard bigint default 0) returns bigint
language sql volatile as $$
	select (greatest(floor(extract(epoch from at))::bigint - 946684800, 0) << 22) | (shard << 18) | (nextval('id_sequence') & 262143)
$$;
-- +goose StatementEnd

-- People and groups share one namespace. A name is never given to another account.
create table names (
	name     text primary key,
	what     text not null check (what in ('user', 'group')),
	their_id bigint not null
);

create table users (
	id            bigint generated always as identity primary key,
	name          text not null unique references names deferrable initially deferred,
	email         text,
	password_hash text,
	display_name  text not null,
	description   text not null default '',
	status        text not null default 'public' check (status in ('public', 'disallow-robots', 'protected', 'private', 'deleted')),
	avatar_url    text not null default '',
	admin         boolean not null default false,
	suspended_at  timestamptz(3),
	lang          text not null default '',
	directs_from  text not null default 'anybody' check (directs_from in ('anybody', 'subscriptions')),
	created_at    timestamptz(3) not null default now()
);
create unique index users_email on users (lower(email)) where email is not null;

create table groups (
	id           bigint generated always as identity primary key,
	name         text not null unique references names deferrable initially deferred,
	display_name text not null,
	description  text not null default '',
	status       text not null default 'public' check (status in ('public', 'disallow-robots', 'protected', 'private', 'deleted')),
	avatar_url   text not null default '',
	nsfw         boolean not null default false,
	posting      text not null default 'members' check (posting in ('anybody', 'members', 'admins')),
	joining      text not null default 'open' check (joining in ('open', 'request')),
	created_at   timestamptz(3) not null default now()
);

create table group_admins (
	group_id bigint not null references groups,
	user_id  bigint not null references users,
	primary key (group_id, user_id)
);
create index group_admins_user on group_admins (user_id);

-- access says who may read a base timeline; a filter timeline has its owner's access.
--  public     all readers
--  protected  all people who are signed in and not in the excluded set
--  private    the subscribers and the owner
--  owner      only the owner (directs, for your eyes only, favourites)
--  closed     no one (the timelines of a deleted account)
-- Both indexes include all columns that readers need, because a home with 500 subscriptions
-- looks up 1,500 timelines, and so finds them in the index alone.
create table timelines (
	id        bigint generated always as identity,
	what      text not null check (what in ('user', 'user_private', 'user_fyeo', 'user_directs', 'group',
		'user_likes', 'user_comments', 'user_favs', 'mentions', 'hashtag', 'everything', 'best_of', 'most_faved')),
	their_id  bigint not null,
	access    text not null check (access in ('public', 'protected', 'private', 'owner', 'closed')),
	latest_at bigint not null default 0, -- an upper bound of fresh_at of the entries, rounded up to a minute
	primary key (id) include (what, their_id, access),
	unique (what, their_id)
);
create index timelines_their on timelines (their_id, what) include (id, access);

create table timeline_excluded (
	timeline_id bigint not null references timelines,
	user_id     bigint not null references users,
	primary key (timeline_id, user_id)
);
create index timeline_excluded_user on timeline_excluded (user_id);

create table posts (
	id                bigint primary key,
	user_id           bigint not null references users,
	text              text not null,
	version           int not null default 1,
	comments_version  int not null default 0,
	places            bigint[] not null, -- the decisive timelines, sorted
	published_at      timestamptz(3) not null,
	updated_at        timestamptz(3) not null,
	fresh_at          bigint not null, -- milliseconds: the time of the newest comment, else of the publication
	comments_count    int not null default 0,
	likes_count       int not null default 0,
	favs_count        int not null default 0,
	comments_disabled boolean not null default false,
	nsfw              boolean not null default false,
	linebreaks        boolean not null default true,
	lang              text not null default '',
	platform          text not null default '',
	deleted_at        timestamptz(3)
);
create index posts_user on posts (user_id, id);
create index posts_deleted on posts (deleted_at) where deleted_at is not null;

create table timeline_entries (
	timeline_id bigint not null references timelines,
	post_id     bigint not null references posts,
	fresh_at    bigint not null, -- a copy of the post's fresh_at, by which an index finds the entry
	entered_at  bigint not null, -- milliseconds: when the post first entered this timeline
	primary key (post_id, timeline_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
create index timeline_entries_order on timeline_entries (timeline_id, fresh_at desc, post_id desc);
create index timeline_entries_fresh on timeline_entries (fresh_at desc, post_id desc, timeline_id desc);

create table comments (
	id          bigint primary key,
	post_id     bigint not null references posts,
	user_id     bigint not null references users,
	text        text not null,
	platform    text not null default '',
	likes_count int not null default 0,
	created_at  timestamptz(3) not null,
	updated_at  timestamptz(3)
);
create index comments_post on comments (post_id, created_at, id);
create index comments_user on comments (user_id, post_id);

create table likes (
	post_id    bigint not null references posts,
	user_id    bigint not null references users,
	created_at timestamptz(3) not null,
	primary key (post_id, user_id)
);
create index likes_order on likes (post_id, created_at, user_id);
create index likes_user on likes (user_id);

create table favs (
	post_id    bigint not null references posts,
	user_id    bigint not null references users,
	created_at timestamptz(3) not null,
	primary key (post_id, user_id)
);
create index favs_user on favs (user_id);

create table comment_likes (
	comment_id bigint not null references comments on delete cascade,
	user_id    bigint not null references users,
	post_id    bigint not null references posts,
	created_at timestamptz(3) not null,
	primary key (comment_id, user_id)
);
create index comment_likes_post on comment_likes (post_id);
create index comment_likes_user on comment_likes (user_id);

create table attachments (
	id         bigint primary key,
	user_id    bigint not null references users,
	post_id    bigint references posts,
	comment_id bigint references comments,
	position   int not null default 0,
	file_name  text not null,
	kind       text not null default 'image',
	meta       jsonb not null default '{}',
	created_at timestamptz(3) not null default now()
);
create index attachments_post on attachments (post_id);

-- A subscription is to a base timeline. A subscriber of a person's feed also follows
-- the person's likes and comments.
create table subscriptions (
	user_id     bigint not null references users,
	timeline_id bigint not null references timelines,
	since       bigint, -- milliseconds: forward only, from then on; null: all posts
	created_at  timestamptz(3) not null default now(),
	primary key (user_id, timeline_id)
);
create index subscriptions_timeline on subscriptions (timeline_id);

create table subscription_requests (
	id          uuid primary key default gen_random_uuid(),
	user_id     bigint not null references users,
	timeline_id bigint not null references timelines,
	created_at  timestamptz(3) not null default now(),
	unique (user_id, timeline_id)
);
create index subscription_requests_timeline on subscription_requests (timeline_id);

create table bans (
	user_id    bigint not null references users,
	target_id  bigint not null references users,
	created_at timestamptz(3) not null default now(),
	primary key (user_id, target_id)
);
create index bans_target on bans (target_id);

create table hidden_posts (
	user_id    bigint not null references users,
	post_id    bigint not null references posts,
	created_at timestamptz(3) not null default now(),
	primary key (user_id, post_id)
);

create table hidden_users (
	user_id   bigint not null references users,
	target_id bigint not null references users,
	posts     boolean not null default true,
	comments  boolean not null default false,
	primary key (user_id, target_id)
);

create table lists (
	id      bigint generated always as identity primary key,
	user_id bigint not null references users,
	name    text not null,
	unique (user_id, name)
);

create table list_members (
	list_id     bigint not null references lists on delete cascade,
	timeline_id bigint not null references timelines,
	primary key (list_id, timeline_id)
);

-- Secrets are stored as SHA-256 hashes. They are random, so the hashes need no salt.
create table sessions (
	token_hash bytea primary key,
	user_id    bigint not null references users,
	remember   boolean not null default false,
	agent      text not null default '',
	created_at timestamptz(3) not null default now(),
	seen_at    timestamptz(3) not null default now()
);
create index sessions_user on sessions (user_id);
create index sessions_seen on sessions (seen_at);

create table api_tokens (
	id         bigint generated always as identity primary key,
	token_hash bytea not null unique,
	user_id    bigint not null references users,
	name       text not null default '',
	created_at timestamptz(3) not null default now(),
	seen_at    timestamptz(3)
);
create index api_tokens_user on api_tokens (user_id);

create table sign_in_links (
	token_hash bytea primary key,
	user_id    bigint not null references users,
	expires_at timestamptz(3) not null
);

-- Failed sign-ins by key (an account or an address), to throttle further tries.
create table sign_in_failures (
	key text not null,
	at  timestamptz(3) not null default now()
);
create index sign_in_failures_key on sign_in_failures (key, at);
create index sign_in_failures_at on sign_in_failures (at);

-- The posts and comments that clients made, by the _uuid that the client sent, so that a request
-- that is sent again makes no second post.
create table submissions (
	user_id    bigint not null references users,
	uuid       uuid not null,
	what       text not null,
	their_id   bigint not null,
	created_at timestamptz(3) not null default now(),
	primary key (user_id, uuid)
);
create index submissions_at on submissions (created_at);

-- The change log. Every write transaction appends to changes. A sequencer moves the
-- committed rows into change_log, under contiguous positions.
create table changes (
	id        bigint generated always as identity primary key,
	kind      text not null check (kind in ('post', 'viewer', 'access', 'card', 'session')),
	post_id   bigint,
	user_id   bigint,
	group_id  bigint,
	timelines bigint[] not null default '{}', -- post: the timelines that the post entered or left; access: the timelines that changed
	moved     boolean not null default false, -- post: the fresh_at or the places of the post changed
	token     bytea,                          -- session: the hash of the session or token that ended
	at        timestamptz(3) not null default clock_timestamp()
);

create table change_log (
	position  bigint primary key,
	nonce     uuid not null,
	change_id bigint not null,
	kind      text not null,
	post_id   bigint,
	user_id   bigint,
	group_id  bigint,
	timelines bigint[] not null,
	moved     boolean not null,
	token     bytea,
	at        timestamptz(3) not null
);
create index change_log_change on change_log (change_id);
create index change_log_at on change_log (at);

create table log_head (
	one      boolean primary key default true check (one),
	position bigint not null,
	uuid     uuid not null
);
insert into log_head (position, uuid) values (0, gen_random_uuid());

-- sequence_changes moves up to batch committed rows of changes into change_log, and returns the
-- highest position. The function is volatile and runs with the isolation level READ COMMITTED,
-- so each of its statements sees the rows that were committed before the statement. The delete
-- begins after the head is locked, so it sees the table as an earlier sequencer left it.
-- +goose StatementBegin
create function sequence_changes(batch int default 1000) returns bigint
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

-- The lines of imports, with the rows that they made, so that an import can be repeated.
create table imported (
	source      text not null,
	external_id text not null,
	what        text not null,
	their_id    bigint not null,
	primary key (source, what, external_id)
);

-- The ticks for which a process has claimed a periodic job, so that each job runs once a tick,
-- however many processes there are.
create table job_ticks (
	job  text not null,
	tick timestamptz not null,
	primary key (job, tick)
);

-- Secrets and other values of the site itself.
create table site (
	key   text primary key,
	value bytea not null
);
insert into site (key, value) values ('river_secret', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

insert into timelines (what, their_id, access) values ('everything', 0, 'public');

-- +goose Down
drop schema public cascade;
create schema public;
