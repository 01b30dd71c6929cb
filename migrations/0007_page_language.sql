-- The language in which a person reads pages.

-- +goose Up

-- The code of a language; empty: the language of the browser.
alter table users add column page_language text not null default '' check (length(page_language) <= 8);

-- +goose Down
alter table users drop column page_language;
