-- How often what a stranger may try was tried.

-- +goose Up

drop table sign_in_failures;

-- One row for each thing that is bounded, whatever the number of tries: the
-- time at which all of them are forgotten. A crash may lose the rows, so
-- writing them need not wait for the disk.
create unlogged table throttles (
	key   text primary key,
	until timestamptz(3) not null
);
create index throttles_until on throttles (until);

-- Signs what a device keeps of the accounts that it signed in to.
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
