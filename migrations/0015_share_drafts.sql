-- What share buttons of other sites and of browsers send: drafts of posts, for an hour.

-- +goose Up

-- A draft belongs to no account: the secret in its address opens it, and only the hash of
-- the secret is here.
create table share_drafts (
	secret_hash bytea primary key,
	url         text not null,
	title       text not null,
	quote       text not null,
	pictures    text[] not null,
	media       text[] not null,
	expires_at  timestamptz(3) not null
);
create index share_drafts_expire on share_drafts (expires_at);

-- +goose Down
drop table share_drafts;
