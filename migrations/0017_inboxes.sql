-- Inboxes: the posts of rivers, kept in their order beside the timelines (package
-- timeline/inbox). All rows of these tables can be deleted: they are made again from the
-- timelines.

-- +goose Up

-- An inbox has the posts of one choice, in the form in which one source keeps them.
create table inboxes (
	id        bigint generated always as identity primary key,
	kind      text not null,   -- of the river
	viewer_id bigint not null, -- 0: all viewers with this choice share the inbox
	their_id  bigint not null,
	source    text not null,
	choice    bytea not null,  -- a hash of the order, the timelines and their times
	lifted    boolean not null, -- the order is that of lift
	size      bigint not null, -- the size that the site has set for the source: entries, milliseconds or subscribers
	depth     int not null,    -- how many entries a fill brings
	embeds    text not null,   -- which fields of posts the inbox keeps with the entries
	ready     boolean not null default false, -- filled, and up to date with every commit since
	log_uuid  uuid,            -- the uuid of the change log at the fill; another uuid means that the inbox missed writes
	low_at    bigint not null default 0, -- low_at and low_post: the inbox has every post that stands above this place
	low_post  bigint not null default 0,
	entries   int not null default 0,
	opened    int not null default 0, -- of the source sized: how many entries went into the open document
	counter   bigint not null default 0, -- of the source sized: the number of the open document
	read_at   timestamptz not null default now(), -- when the inbox was last read, to about an hour
	unique (kind, viewer_id, their_id, source, choice)
);
create index inboxes_unready on inboxes (id) where not ready;
create index inboxes_viewer on inboxes (viewer_id) where viewer_id <> 0;

-- The timelines that feed an inbox. A post that only pulled timelines hold is not in the
-- inbox: a read looks for such posts in the timelines.
create table inbox_feeds (
	timeline_id bigint not null,
	inbox_id    bigint not null references inboxes on delete cascade,
	base        boolean not null,
	pulled      boolean not null,
	since       bigint not null,
	began       bigint not null,
	primary key (timeline_id, inbox_id)
);
create index inbox_feeds_inbox on inbox_feeds (inbox_id);

-- The entries of the sources that keep rows. Only the source segments uses segment and slot: the
-- author of the post, and the entry's slot in the author's ring.
create table inbox_rows (
	inbox_id bigint not null references inboxes on delete cascade,
	post_id  bigint not null,
	at       bigint not null,
	segment  bigint,
	slot     bigint,
	data     jsonb,
	primary key (inbox_id, post_id)
);
create index inbox_rows_order on inbox_rows (inbox_id, at desc, post_id desc);
create unique index inbox_rows_slot on inbox_rows (inbox_id, segment, slot) where slot is not null;
create index inbox_rows_post on inbox_rows (post_id) where data is not null;

create table inbox_segments (
	inbox_id bigint not null references inboxes on delete cascade,
	segment  bigint not null,
	counter  bigint not null,
	primary key (inbox_id, segment)
);

-- The entries of the sources that keep documents: {"POST": {"at": AT, "data": …}, …}.
create table inbox_documents (
	inbox_id bigint not null references inboxes on delete cascade,
	number   bigint not null,
	top_at   bigint not null, -- no entry stands above it
	low_at   bigint not null, -- no entry stands below it
	entries  jsonb not null,
	primary key (inbox_id, number)
);
create index inbox_documents_order on inbox_documents (inbox_id, top_at desc, number desc);

-- Posts of which many inboxes must be updated. Until the row of a post is gone, reads do not take
-- the place of the post from an inbox.
create table inbox_fanouts (
	id        bigint generated always as identity primary key,
	post_id   bigint not null,
	timelines bigint[] not null, -- the timelines that the post left
	done      bigint not null default 0, -- the inboxes up to this id are updated
	tries     int not null default 0,
	failure   text not null default '',
	retry_at  timestamptz not null default now()
);

-- People whose sets changed, so that their inboxes may be of other choices than their rivers.
create table inbox_stale (
	viewer_id bigint primary key
);

-- +goose Down
drop table inbox_stale;
drop table inbox_fanouts;
drop table inbox_documents;
drop table inbox_segments;
drop table inbox_rows;
drop table inbox_feeds;
drop table inboxes;
