-- Passkeys, with which people sign in instead of by their password. Nodes of earlier versions know nothing of them.

-- +goose Up
create table passkeys (
	id              bigint generated always as identity primary key,
	user_id         bigint not null references users,
	credential_id   bytea not null unique, -- by which the authenticator knows the passkey
	public_key      bytea not null, -- in COSE
	sign_count      bigint not null, -- of the last use; 0 if the authenticator does not count
	backup_eligible boolean not null, -- the passkey can be copied to other devices, which never changes
	backed_up       boolean not null,
	transports      text[] not null, -- how the browser reaches the authenticator
	aaguid          bytea not null, -- the model of the authenticator; zeros: not told
	name            text not null,
	created_at      timestamptz(3) not null,
	used_at         timestamptz(3) -- null: never
);
create index passkeys_user on passkeys (user_id, id);

-- The random value by which authenticators know the person; null: no passkey was ever asked for.
alter table users add column passkey_handle bytea;

-- The challenges that were used, each until it ends, so that none is used twice.
create table used_challenges (
	hash       bytea primary key,
	expires_at timestamptz(3) not null
);
create index used_challenges_expires on used_challenges (expires_at);

-- The key that signs challenges.
insert into site (key, value) values ('passkey_secret', decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'));

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in (
	'sign_in', 'password', 'confirm', 'address', 'taken', 'notices', 'device', 'leaving', 'accepted', 'passkey_added', 'passkey_removed'));

-- +goose Down
delete from mails where kind in ('passkey_added', 'passkey_removed');
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (kind in ('sign_in', 'password', 'confirm', 'address', 'taken', 'notices', 'device', 'leaving', 'accepted'));
delete from site where key = 'passkey_secret';
drop table used_challenges;
alter table users drop column passkey_handle;
drop table passkeys;
