-- Mails about notices and new devices, and addresses to which mail can't be delivered.

-- +goose Up
alter table users
	add column mail_often text not null default 'daily' check (mail_often in ('never', 'soon', 'hourly', 'daily', 'weekly')),
	add column mail_hour  smallint not null default 8 check (mail_hour between 0 and 23), -- in the person's time zone, of daily and weekly mails
	add column mail_due_at timestamptz(3), -- when to look for notices next; null: never, or the address is not confirmed
	add column mailed_upto bigint not null default 0, -- the newest notice that a mail has told of
	add column email_failed_at timestamptz(3); -- when a mail server said that there is no such mailbox; null: none did since the address was confirmed
create index users_mail_due on users (mail_due_at) where mail_due_at is not null;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password', 'confirm', 'address', 'taken', 'notices', 'device'));

-- Signs the links with which people stop mails.
insert into site (key, value) values ('mail_secret', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

-- +goose Down
delete from site where key = 'mail_secret';
delete from mails where kind in ('notices', 'device');
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password', 'confirm', 'address', 'taken'));
drop index users_mail_due;
alter table users drop column mail_often, drop column mail_hour, drop column mail_due_at, drop column mailed_upto, drop column email_failed_at;
