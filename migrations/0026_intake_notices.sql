-- Notices of intakes that fail, intakes that come from exports, and the limit of exports.

-- +goose Up

alter table intakes add column told_at timestamptz(3); -- when the owner got the notice of the present failures

-- The intake comes from an export, so it must not post the items of the next document.
alter table intakes add column quiet boolean not null default false;

-- The times at which the person asked for exports in the last day.
alter table users add column export_times timestamptz(3)[] not null default '{}';

-- A notice of an intake names no person who acted. Nodes of earlier versions leave it out.
alter table notices add column intake_id bigint references intakes on delete cascade;
alter table notices alter column by_id drop not null;
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (
	kind in ('mention', 'direct', 'comment', 'like', 'comment_like', 'request', 'invitation', 'subscriber', 'intake')
	and (kind = 'intake') = (by_id is null) and (kind = 'intake') = (intake_id is not null));
create unique index notices_intake on notices (intake_id) where intake_id is not null;
-- The intakes of one person in one place differ in intake_id alone.
alter table notices drop constraint notices_user_id_kind_by_id_post_id_comment_id_timeline_id_key;
create unique index notices_act on notices (user_id, kind, by_id, post_id, comment_id, timeline_id) nulls not distinct where intake_id is null;

-- +goose Down
delete from notices where kind = 'intake';
drop index notices_act, notices_intake;
alter table notices add unique nulls not distinct (user_id, kind, by_id, post_id, comment_id, timeline_id);
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in ('mention', 'direct', 'comment', 'like', 'comment_like', 'request', 'invitation', 'subscriber'));
alter table notices alter column by_id set not null;
alter table notices drop column intake_id;
alter table users drop column export_times;
alter table intakes drop column told_at, drop column quiet;
