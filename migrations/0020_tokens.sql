-- What a token may do, and when it ends.

-- +goose Up

-- Tokens that exist may do what they could before. A token that a program of the version before
-- makes meanwhile has the scopes of a token for which none are named.
alter table api_tokens
	add column scopes     text[] not null default '{read,write,admin}',
	add column expires_at timestamptz(3);
alter table api_tokens alter column scopes set default '{read,write}';
create index api_tokens_expires on api_tokens (expires_at) where expires_at is not null;

-- +goose Down
-- The version before knows no expiry and no scopes: a token that had less would have everything.
delete from api_tokens where expires_at is not null or not scopes @> '{read,write,admin}';
alter table api_tokens drop column expires_at, drop column scopes;
