-- Changes of the settings of the site, and the rules to which new people agree.

-- +goose Up
create table site_changes (
	id      bigint generated always as identity primary key,
	at      timestamptz(3) not null,
	by_id   bigint references users, -- null: the operator of the server
	setting text not null, -- the key of the setting
	was     text not null,
	value   text not null
);
create index site_changes_setting on site_changes (setting, id);
create index site_changes_by on site_changes (by_id) where by_id is not null;

alter table users add column rules_agreed_at timestamptz(3); -- null: the site had no rules when the person signed up, or an operator added the person
alter table applicants add column rules_agreed_at timestamptz(3);

-- +goose Down
alter table applicants drop column rules_agreed_at;
alter table users drop column rules_agreed_at;
drop table site_changes;
