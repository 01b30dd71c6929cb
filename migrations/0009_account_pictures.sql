-- Avatars and covers of people and groups.

-- +goose Up

-- Each picture is kept in two sizes, both JPEG. The columns avatar_url and cover_url of users and
-- groups also have the path of the small file, because every page needs it.
alter table users add column cover_url text not null default '';
alter table groups add column cover_url text not null default '';
create table account_pictures (
	user_id  bigint references users on delete cascade,
	group_id bigint references groups on delete cascade,
	role     text not null check (role in ('avatar', 'cover')),
	small    bytea not null check (length(small) = 32), -- names in the file store
	large    bytea not null check (length(large) = 32),
	check (num_nonnulls(user_id, group_id) = 1),
	unique (user_id, role),
	unique (group_id, role)
);
create index account_pictures_small on account_pictures (small);
create index account_pictures_large on account_pictures (large);

-- +goose Down
drop table account_pictures;
alter table users drop column cover_url;
alter table groups drop column cover_url;
update users set avatar_url = '';
update groups set avatar_url = '';
