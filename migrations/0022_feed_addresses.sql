-- Private addresses at which feed readers get a person's own pages.

-- +goose Up

-- The secret in the address opens the page as its owner sees it; only a hash of the secret is
-- stored.
create table feed_addresses (
	id          bigint generated always as identity primary key,
	secret_hash bytea not null unique,
	user_id     bigint not null references users,
	page        text not null, -- path and query of the page when the address was made
	kind        text not null, -- kind and their_id name the page's river, even after a list is renamed
	their_id    bigint not null,
	created_at  timestamptz(3) not null,
	seen_at     timestamptz(3)
);
create index feed_addresses_user on feed_addresses (user_id);

-- +goose Down
drop table feed_addresses;
