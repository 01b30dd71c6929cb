-- The sequencer tells every node how far the log goes, so that a node that has read so far need not look again.
-- Nodes of earlier versions look at each notification, as before.

-- +goose Up
-- +goose StatementBegin
create or replace function sequence_changes(batch int default 1000) returns bigint
language plpgsql volatile as $$
declare
	head  bigint;
	moved bigint;
begin
	if not exists (select from changes) then
		select position into head from log_head;
		return head;
	end if;
	select position into head from log_head for update;
	with taken as (
		delete from changes where id in (select id from changes order by id limit batch) returning *
	), logged as (
		insert into change_log (position, nonce, change_id, kind, post_id, user_id, group_id, timelines, moved, worded, token, at)
		select head + row_number() over (order by t.id), gen_random_uuid(), t.id, t.kind, t.post_id, t.user_id, t.group_id, t.timelines, t.moved, t.worded, t.token, t.at
		from taken t
		returning 1
	)
	select count(*) into moved from logged;
	if moved > 0 then
		head := head + moved;
		update log_head set position = head;
		perform pg_notify('amstel', head::text);
	end if;
	return head;
end
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
create or replace function sequence_changes(batch int default 1000) returns bigint
language plpgsql volatile as $$
declare
	head  bigint;
	moved bigint;
begin
	if not exists (select from changes) then
		select position into head from log_head;
		return head;
	end if;
	select position into head from log_head for update;
	with taken as (
		delete from changes where id in (select id from changes order by id limit batch) returning *
	), logged as (
		insert into change_log (position, nonce, change_id, kind, post_id, user_id, group_id, timelines, moved, worded, token, at)
		select head + row_number() over (order by t.id), gen_random_uuid(), t.id, t.kind, t.post_id, t.user_id, t.group_id, t.timelines, t.moved, t.worded, t.token, t.at
		from taken t
		returning 1
	)
	select count(*) into moved from logged;
	if moved > 0 then
		head := head + moved;
		update log_head set position = head;
		perform pg_notify('amstel', '');
	end if;
	return head;
end
$$;
-- +goose StatementEnd
