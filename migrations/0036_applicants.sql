-- People who signed up, and wait for an administrator of the site to accept them. Without an account they are in no list and no
-- page, and nodes of earlier versions know nothing of them.

-- +goose Up
create table applicants (
	id            bigint generated always as identity primary key,
	name          text not null unique,
	email         text not null,
	password_hash text not null,
	display_name  text not null,
	about         text not null, -- why the person wants to join; empty if a member invited them
	invited_by    bigint references users, -- whose sign-up link the person used; null: none
	created_at    timestamptz(3) not null,
	refused_at    timestamptz(3), -- null: the person waits
	reason        text not null default '' -- of the refusal
);
create index applicants_email on applicants (lower(email));
create index applicants_invited_by on applicants (invited_by) where invited_by is not null;

alter table journal drop constraint journal_act_check;
alter table journal add constraint journal_act_check check (
	act in ('suspend', 'restore', 'warn', 'delete_post', 'delete_comment', 'take_out', 'dismiss', 'release', 'accept', 'refuse'));

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password', 'confirm', 'address', 'taken', 'notices', 'device', 'leaving', 'accepted'));

-- +goose Down
delete from mails where kind = 'accepted';
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password', 'confirm', 'address', 'taken', 'notices', 'device', 'leaving'));
delete from journal where act in ('accept', 'refuse');
alter table journal drop constraint journal_act_check;
alter table journal add constraint journal_act_check check (act in ('suspend', 'restore', 'warn', 'delete_post', 'delete_comment', 'take_out', 'dismiss', 'release'));
drop table applicants;
