-- Items of imported feeds that could not be posted, so that their owners learn of them.

-- +goose Up
alter table intakes
	add column skipped int not null default 0, -- how many items were skipped so far
	add column skipped_code text not null default '', -- why the last of them was: the code of an InvalidError, with its name and number
	add column skipped_name text not null default '',
	add column skipped_n int not null default 0;

-- +goose Down
alter table intakes drop column skipped, drop column skipped_code, drop column skipped_name, drop column skipped_n;
