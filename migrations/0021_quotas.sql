-- How many requests tokens, people and addresses have made in an hour, so that the quotas apply to
-- all nodes together, and after a restart too.

-- +goose Up

create table request_counts (
	key  text   not null, -- "token 12", "person 7", "address 192.0.2.1/32"
	hour int    not null, -- of the clock, counted since 1970
	used bigint not null,
	primary key (key, hour)
) with (fillfactor = 70);
create index request_counts_hour on request_counts (hour);

-- +goose Down
drop table request_counts;
