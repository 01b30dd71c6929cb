-- Drafts of posts, which share buttons of other sites and of browsers send. They are kept for an
-- hour.

-- +goose Up

-- A draft belongs to no account. The secret in its address opens it; only a hash of the secret
-- is stored.
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
