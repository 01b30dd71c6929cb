-- Previews of links in posts: the descriptions that linked pages give of themselves, and the
-- queue of the pages that the server has to fetch.

-- +goose Up

-- queued: the page has to be fetched; ready: there is a preview to show; none: there is nothing
-- to show. A row that is ready or none never changes again: a later fetch of the same address
-- makes another row.
create table previews (
	id          bigint generated always as identity primary key,
	address     text not null, -- in the form that all ways of writing the address share
	host        text not null, -- of the address: only one page of a host is fetched at a time
	state       text not null check (state in ('queued', 'ready', 'none')),
	due_at      timestamptz(3) not null, -- of a queued row: when a worker may take it; of others: until when new posts share it
	tries       int not null default 0, -- how many times a worker took it from the queue
	taken_until timestamptz(3), -- when the lease of the worker that fetches the page ends
	title       text not null default '',
	site        text not null default '',
	about       text not null default '',
	picture     bytea check (length(picture) = 32), -- the name of the picture in the file store
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
