-- Intakes: feeds of other sites whose new items become posts.

-- +goose Up

-- on: workers look at the feed when the intake is due; paused: the owner has paused it; stopped: a
-- fault has stopped it, and its owner can start it again.
create table intakes (
	id            bigint generated always as identity primary key,
	user_id       bigint not null references users, -- the author of the posts
	timeline_id   bigint not null references timelines, -- where the posts go
	address       text not null,
	host          text not null, -- of the address: only one feed of a host is fetched at a time
	title         text not null, -- of the feed
	site          text not null, -- the address of the web site that the feed names; '': none
	state         text not null check (state in ('on', 'paused', 'stopped')),
	fault         text not null default '', -- the code of the fault of the last look; '': none
	detail        text not null default '', -- more about the fault, for example '404 Not Found'
	etag          text not null default '', -- the header ETag of the last document
	modified      text not null default '', -- the header Last-Modified of the last document
	created_at    timestamptz(3) not null,
	due_at        timestamptz(3) not null,
	taken_at      timestamptz(3), -- when a worker last took the intake
	taken_until   timestamptz(3), -- when the lease of the worker ends; null: no worker has the intake
	takes         int not null default 0, -- how many times workers have taken the intake
	checked_at    timestamptz(3), -- when a look last found no fault
	failing_since timestamptz(3), -- when the first of the present failures was
	failures      int not null default 0, -- how many looks have failed in a row
	posts         int not null default 0, -- how many posts were made so far
	unique (user_id, timeline_id, address)
);
create index intakes_queue on intakes (due_at, id) where state = 'on';
create index intakes_host on intakes (host);
create index intakes_timeline on intakes (timeline_id);

-- The items that an intake knows: those of its last documents.
create table intake_items (
	intake_id bigint not null references intakes on delete cascade,
	key       bytea not null check (length(key) = 32),
	seen_at   timestamptz(3) not null, -- when a document last had the item, to the day
	posted_at timestamptz(3), -- null: the item is known, but was not posted
	primary key (intake_id, key)
);

-- +goose Down
drop table intake_items;
drop table intakes;
