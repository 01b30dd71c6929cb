-- Uploads: their states, their queue, the renditions made of them, and the space that they take.

-- +goose Up

-- receiving: the bytes are on their way; queued: the bytes are in the file store, and wait for a
-- worker; ready: the renditions are in the file store; refused: only the reason is kept, for the
-- owner to read.
alter table attachments add column state text not null default 'ready' check (state in ('receiving', 'queued', 'ready', 'refused'));
alter table attachments alter column state drop default;
-- When the row is due: a queued row to be taken by a worker; a row in no post, or one that is
-- still receiving or was refused, to be deleted.
alter table attachments add column due_at timestamptz(3) not null default now();
alter table attachments add column tries int not null default 0; -- how many times a worker took it from the queue
alter table attachments add column upload bytea check (length(upload) = 32); -- the name of the uploaded file, until it is ready
alter table attachments add column size bigint not null default 0 check (size >= 0); -- of the upload, in bytes; while receiving: the bytes that are reserved
alter table attachments add column media_type text not null default ''; -- found by content
alter table attachments add column frames int not null default 1; -- more than one: the picture moves
alter table attachments add column alt text not null default '';
alter table attachments add column reason text not null default ''; -- why it was refused
alter table attachments drop column meta;
alter table attachments add check (num_nonnulls(post_id, comment_id) < 2);
alter table attachments add check ((state = 'queued') = (upload is not null));
drop index attachments_user;
create index attachments_user on attachments (user_id) include (size);
create index attachments_queue on attachments (due_at, id) where state = 'queued';
create index attachments_due on attachments (due_at)
	where state <> 'queued' and post_id is null and comment_id is null or state = 'refused';
create index attachments_upload on attachments (upload) where upload is not null;

create table renditions (
	attachment_id bigint not null references attachments on delete cascade,
	name          text not null check (name in ('original', 'medium', 'thumb', 'grid', 'grid2x')),
	file          bytea not null check (length(file) = 32), -- the name in the file store
	media_type    text not null,
	size          bigint not null,
	width         int not null, -- in pixels; 0 for a file other than a picture
	height        int not null,
	primary key (attachment_id, name)
);
create index renditions_file on renditions (file);

-- The bytes of all uploads together, without their renditions, for the quota of the site.
create table attachment_sum (
	one   boolean primary key default true check (one),
	bytes bigint not null default 0
);
insert into attachment_sum default values;
-- +goose StatementBegin
create function add_to_attachment_sum() returns trigger
language plpgsql as $$
begin
	update attachment_sum set bytes = bytes
		+ case when tg_op = 'DELETE' then 0 else new.size end - case when tg_op = 'INSERT' then 0 else old.size end;
	return null;
end
$$;
-- +goose StatementEnd
-- The trigger is deferred, so that a transaction locks the row of the sum last, and only while it
-- commits.
create constraint trigger attachment_sum after insert or delete or update of size on attachments
	deferrable initially deferred for each row execute function add_to_attachment_sum();

-- +goose Down
drop trigger attachment_sum on attachments;
drop function add_to_attachment_sum;
drop table attachment_sum, renditions;
drop index attachments_upload, attachments_due, attachments_queue, attachments_user;
create index attachments_user on attachments (user_id);
delete from attachments where state <> 'ready';
alter table attachments drop constraint attachments_check, drop constraint attachments_check1;
alter table attachments add column meta jsonb not null default '{}';
alter table attachments drop column reason, drop column alt, drop column frames, drop column media_type, drop column size,
	drop column upload, drop column tries, drop column due_at, drop column state;
