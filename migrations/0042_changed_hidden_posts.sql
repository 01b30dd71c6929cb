-- Hidden posts that their authors have changed, so that administrators look at them again.

-- +goose Up
alter table held_posts add column changed boolean not null default false; -- since an administrator hid the post

-- +goose Down
alter table held_posts drop column changed;
