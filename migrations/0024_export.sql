-- Exports: the id of the site, and the files with all that belongs to a person.

-- +goose Up

-- The id of this site. An export has it, because the ids in the export are ids of this site. A site
-- that is restored from an export takes over the id.
insert into site (key, value) values ('site_id', convert_to(gen_random_uuid()::text, 'UTF8'));

-- queued: a worker has to write the export; ready: the file is in the file store; failed: all tries
-- failed.
create table exports (
	id          bigint generated always as identity primary key,
	user_id     bigint not null references users on delete cascade,
	state       text not null check (state in ('queued', 'ready', 'failed')),
	created_at  timestamptz(3) not null default now(),
	due_at      timestamptz(3) not null, -- of a queued row: when a worker may take it; of others: when the row is deleted
	tries       int not null default 0, -- how many times a worker took it from the queue
	done        int not null default 0, -- how many posts are written
	posts       int not null default 0, -- how many posts the export has; 0: not known yet
	lang        text not null default '', -- the language of the pages in the export
	file        bytea check (length(file) = 32), -- the name in the file store
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
