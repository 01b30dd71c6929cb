-- Pushes: notices that pop up on the devices of a person.

-- +goose Up

-- A browser that wants pushes. It ends with the session in which the person turned pushes on.
create table push_receivers (
	id           bigint generated always as identity primary key,
	user_id      bigint not null references users,
	session_hash bytea not null unique references sessions on delete cascade,
	endpoint     text not null unique, -- the address to which the browser's push service takes pushes: whoever has it can send nothing without the site's key
	public_key   bytea not null, -- of the browser, with which pushes are encrypted
	auth         bytea not null, -- a secret of the browser, part of the encryption
	created_at   timestamptz(3) not null,
	used_at      timestamptz(3), -- the last push that the push service took; null: none
	failures     int not null default 0 -- pushes that were given up since then
);
create index push_receivers_user on push_receivers (user_id);

-- The outbox. The transaction that writes a notice writes its pushes. A push has no text: a worker writes the text when it
-- sends the push, and deletes the row when the push service has taken it.
create table pushes (
	id          bigint generated always as identity primary key,
	notice_id   bigint not null references notices on delete cascade,
	receiver_id bigint not null references push_receivers on delete cascade,
	created_at  timestamptz(3) not null,
	due_at      timestamptz(3) not null,
	taken_until timestamptz(3), -- when the lease of the worker ends; null: no worker has the push
	takes       int not null default 0, -- how many times workers have taken the push
	unique (notice_id, receiver_id)
);
create index pushes_queue on pushes (due_at, id);
create index pushes_receiver on pushes (receiver_id);

-- +goose Down
drop table pushes;
drop table push_receivers;
delete from site where key = 'push_key';
