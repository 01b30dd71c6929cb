-- Counts of tries that are limited because strangers can make them, such as failed sign-ins.

-- +goose Up

drop table sign_in_failures;

-- Each limit has one row, however many the tries are: the time at which all of its tries expire.
-- The table is unlogged, so that writes do not wait for the disk; a crash may lose the counts.
create unlogged table throttles (
	key   text primary key,
	until timestamptz(3) not null
);
create index throttles_until on throttles (until);

-- The key that signs the cookie in which a device remembers its accounts.
insert into site (key, value) values ('device_secret', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- +goose Down
delete from site where key = 'device_secret';
drop table throttles;
create table sign_in_failures (
	key text not null,
	at  timestamptz(3) not null default now()
);
create index sign_in_failures_key on sign_in_failures (key, at);
create index sign_in_failures_at on sign_in_failures (at);
