-- A person who deleted the account can come back until erase_at. Meanwhile the account is hidden and shut out as by a suspension:
-- suspended_at is set, so nodes of earlier versions neither let the person in nor show anything again.

-- +goose Up
alter table users
	add column erase_at timestamptz(3), -- when the account is erased, which its person deleted; null: not deleted
	add column barred boolean not null default false; -- an administrator suspended the person since; only with erase_at
create index users_erase_at on users (erase_at) where erase_at is not null;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password', 'confirm', 'address', 'taken', 'notices', 'device', 'leaving'));

-- +goose Down
-- The deleted accounts stay suspended, until an administrator restores them.
delete from mails where kind = 'leaving';
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password', 'confirm', 'address', 'taken', 'notices', 'device'));
alter table users drop column erase_at, drop column barred;
