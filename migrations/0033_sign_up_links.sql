-- Links with which people of the site let others sign up, and who came by whose link.

-- +goose Up
create table sign_up_links (
	id         bigint generated always as identity primary key,
	user_id    bigint not null references users, -- who made the link
	token_hash bytea not null unique,
	created_at timestamptz(3) not null,
	expires_at timestamptz(3) not null,
	uses       int not null, -- how many people may sign up with it
	used       int not null default 0 check (used <= uses)
);
create index sign_up_links_user on sign_up_links (user_id, id);

alter table users add column invited_by bigint references users; -- whose link the person used; null: none
create index users_invited_by on users (invited_by, id) where invited_by is not null;

-- +goose Down
drop table sign_up_links;
alter table users drop column invited_by;
