-- Intakes: feeds of other sites whose new items become posts.

-- +goose Up

-- on: it is looked at when it is due; paused: by its owner; stopped: for its fault, until its
-- owner goes on.
create table intakes (
	id            bigint generated always as identity primary key,
	user_id       bigint not null references users, -- the author of the posts
	timeline_id   bigint not null references timelines, -- where the posts go
	address       text not null,
	host          text not null, -- one fetch from a host at a time
	title         text not null, -- of the feed
	site          text not null, -- the address of the web site that the feed names; '': none
	state         text not null check (state in ('on', 'paused', 'stopped')),
	fault         text not null default '', -- the code of what is wrong; '': nothing
	detail        text not null default '', -- of the fault, as '404 Not Found'
	etag          text not null default '', -- of the last document
	modified      text not null default '', -- its Last-Modified
	created_at    timestamptz(3) not null,
	due_at        timestamptz(3) not null,
	taken_at      timestamptz(3), -- when a worker last took it
	taken_until   timestamptz(3), -- a worker has it until then
	takes         int not null default 0, -- how often a worker took it
	checked_at    timestamptz(3), -- when it last was all right
	failing_since timestamptz(3),
	failures      int not null default 0, -- in a row
	posts         int not null default 0, -- made so far
	unique (user_id, timeline_id, address)
);
create index intakes_queue on intakes (due_at, id) where state = 'on';
create index intakes_host on intakes (host);
create index intakes_timeline on intakes (timeline_id);

-- The items that an intake knows: those of its last documents.
create table intake_items (
	intake_id bigint not null references intakes on delete cascade,
	key       bytea not null check (length(key) = 32),
	seen_at   timestamptz(3) not null, -- in a document, to the day
	posted_at timestamptz(3), -- null: known, and not posted
	primary key (intake_id, key)
);

-- +goose Down
drop table intake_items;
drop table intakes;
