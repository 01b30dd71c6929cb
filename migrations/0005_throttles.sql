-- Counts of tries, such as failed sign-ins, that strangers may make only so often.

-- +goose Up

drop table sign_in_failures;

-- One row for each thing that is limited, whatever the number of tries: the time at
-- which all the tries expire. A crash may lose rows, so a transaction that writes them
-- need not wait for the disk.
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
