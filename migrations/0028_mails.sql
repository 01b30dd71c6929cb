-- Mails to people, and sessions that began by a link.

-- +goose Up

-- A mail has neither text nor secrets: a worker writes its text when it sends the mail, and makes the secret of a
-- link then. So a mail never shows what its reader may not see any more.
create table mails (
	id          bigint generated always as identity primary key,
	message     uuid not null default gen_random_uuid(), -- part of the Message-ID, the same for each try to send the mail
	user_id     bigint not null references users,
	kind        text not null check (kind in ('sign_in', 'password')),
	address     text not null,
	state       text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
	fault       text not null default '', -- of the last try that failed
	created_at  timestamptz(3) not null,
	due_at      timestamptz(3) not null,
	taken_until timestamptz(3), -- when the lease of the worker ends; null: no worker has the mail
	takes       int not null default 0, -- how many times workers have taken the mail
	ended_at    timestamptz(3) -- when the mail was sent, or given up
);
create index mails_queue on mails (due_at, id) where state = 'queued';
create index mails_user on mails (user_id);
create index mails_ended on mails (ended_at) where ended_at is not null;

-- When a session began, if it began by a link. For a while its person may set a password without the old one.
alter table sessions add column by_link_at timestamptz(3);

-- +goose Down
alter table sessions drop column by_link_at;
drop table mails;
