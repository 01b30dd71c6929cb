-- The first steps of newcomers, and finding people and groups by any part of a name.

-- +goose Up

-- Whether the person has signed up and not dismissed the first steps. Which steps are done is
-- not stored, because the person's subscriptions, posts and picture show it.
alter table users add column newcomer boolean not null default false;

-- pg_trgm comes with PostgreSQL. The owner of a database may create the extension.
create extension if not exists pg_trgm;
create index users_parts on users using gin ((name || ' ' || display_name) gin_trgm_ops);
create index groups_parts on groups using gin ((name || ' ' || display_name) gin_trgm_ops);

-- +goose Down
drop index groups_parts;
drop index users_parts;
drop extension pg_trgm;
alter table users drop column newcomer;
