-- Which e-mail addresses are confirmed, and the links that confirm them.

-- +goose Up
alter table users add column email_confirmed_at timestamptz(3); -- null: the person has not shown that they read mail to the address
alter table users add column email_wanted text; -- the new address, until the person confirms it; null: none

create table email_links (
	token_hash bytea primary key,
	user_id    bigint not null references users,
	address    text not null, -- that the link confirms
	expires_at timestamptz(3) not null
);
create index email_links_user on email_links (user_id);
create index email_links_expiry on email_links (expires_at);

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password', 'confirm', 'address', 'taken'));

-- +goose Down
delete from mails where kind in ('confirm', 'address', 'taken');
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password'));
drop table email_links;
alter table users drop column email_wanted, drop column email_confirmed_at;
