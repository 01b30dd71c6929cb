-- The times at which names were taken, for a limit of new names in a month.

-- +goose Up

-- When a person or a group took the name; null: they had it from the beginning.
alter table names add column taken_at timestamptz(3);
create index names_taken on names (their_id, what, taken_at) where taken_at is not null;

-- +goose Down
drop index names_taken;
alter table names drop column taken_at;
