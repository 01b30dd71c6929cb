-- What a token may do, and when it ends.

-- +goose Up

-- Existing tokens may do what they could do before. A token that a program of the earlier version
-- makes during the upgrade has the default scopes.
alter table api_tokens
	add column scopes     text[] not null default '{read,write,admin}',
	add column expires_at timestamptz(3);
alter table api_tokens alter column scopes set default '{read,write}';
create index api_tokens_expires on api_tokens (expires_at) where expires_at is not null;

-- +goose Down
-- The earlier version knows neither expiry nor scopes, so a token that expires or has fewer scopes
-- would get all rights.
delete from api_tokens where expires_at is not null or not scopes @> '{read,write,admin}';
alter table api_tokens drop column expires_at, drop column scopes;
