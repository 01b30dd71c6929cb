-- Exports: the id of the site, and the files that people have made of all that is theirs.

-- +goose Up

-- The id of this site, by which an export tells where its ids come from. A site that is restored
-- from an export takes over the id.
insert into site (key, value) values ('site_id', convert_to(gen_random_uuid()::text, 'UTF8'));

-- queued: a worker has to write it; ready: the file is in the file store; failed: all tries failed.
create table exports (
	id          bigint generated always as identity primary key,
	user_id     bigint not null references users on delete cascade,
	state       text not null check (state in ('queued', 'ready', 'failed')),
	created_at  timestamptz(3) not null default now(),
	due_at      timestamptz(3) not null, -- of a queued row: when it may be taken; else when it is deleted
	tries       int not null default 0, -- how often it was taken from the queue
	done        int not null default 0, -- posts that are written
	posts       int not null default 0, -- posts that there are; 0: not known yet
	lang        text not null default '', -- the language of the pages in it
	file        bytea check (length(file) = 32), -- its name in the file store
	size        bigint not null default 0,
	check ((state = 'ready') = (file is not null))
);
create unique index exports_user on exports (user_id) where state = 'queued'; -- one at a time
create index exports_of on exports (user_id, id);
create index exports_due on exports (due_at);
create index exports_file on exports (file) where file is not null;

-- +goose Down
drop table exports;
delete from site where key = 'site_id';
