-- Previews of links in posts: what the linked pages say of themselves, and the queue of
-- the pages that the server has to fetch.

-- +goose Up

-- queued: the page has to be fetched; ready: there is something to show; none: there is
-- nothing. A row that is ready or none never changes again: a newer fetch of the same
-- address is a row of its own.
create table previews (
	id          bigint generated always as identity primary key,
	address     text not null, -- in one form for all ways of writing it
	host        text not null, -- one fetch from a host at a time
	state       text not null check (state in ('queued', 'ready', 'none')),
	due_at      timestamptz(3) not null, -- of a queued row: when it may be taken; else until when new posts share it
	tries       int not null default 0, -- how often it was taken from the queue
	taken_until timestamptz(3), -- a worker fetches it until then
	title       text not null default '',
	site        text not null default '',
	about       text not null default '',
	picture     bytea check (length(picture) = 32), -- its name in the file store
	media_type  text not null default '',
	size        bigint not null default 0,
	width       int not null default 0, -- of the picture, in pixels
	height      int not null default 0
);
create unique index previews_queued on previews (address) where state = 'queued';
create index previews_address on previews (address, id);
create index previews_queue on previews (due_at, id) where state = 'queued';
create index previews_due on previews (due_at);
create index previews_picture on previews (picture) where picture is not null;

alter table posts add column link_preview boolean not null default true; -- the author wants a preview of the first link
alter table posts add column preview_id bigint references previews;
create index posts_preview on posts (preview_id) where preview_id is not null;

-- +goose Down
drop index posts_preview;
alter table posts drop column preview_id, drop column link_preview;
drop table previews;
