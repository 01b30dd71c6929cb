-- The setting lift is on by default from now on: homes and lists put a post that a like or
-- comment brought at the time of that like or comment.

-- +goose Up

-- Indexes that find the newest entries of one timeline, and of all timelines, by the time of
-- entry. Until now they existed only while lift was on: the program made them without blocking
-- writers. If they do not exist yet, writers wait for about a minute for each ten million entries.
create index if not exists timeline_entries_entered on timeline_entries (timeline_id, entered_at desc, post_id desc);
create index if not exists timeline_entries_lifted on timeline_entries (entered_at desc, post_id desc, timeline_id desc);

-- If lift was not set, all homes are sorted in another order from now on. A new uuid makes each
-- node drop its rivers.
update log_head set uuid = gen_random_uuid() where not exists (select from site_settings where value ? 'lift');

-- +goose Down
drop index timeline_entries_lifted;
drop index timeline_entries_entered;
