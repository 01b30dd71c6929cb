-- The times of the week at which people come, so that a node can build their homes shortly
-- before. They are kept only to the quarter of an hour, and only for the last weeks.

-- +goose Up

create table visit_times (
	user_id  bigint   not null references users,
	week     int      not null, -- counted from Monday, January 5, 1970
	node     text     not null, -- the node that served the last visit
	quarters bit(672) not null, -- of the hours of the week, in UTC: 1 if the person came in it
	primary key (user_id, week)
);

-- Whether the times of a person's visits are kept: the person decides.
alter table users add column visit_times boolean not null default true;

-- +goose Down
alter table users drop column visit_times;
drop table visit_times;
