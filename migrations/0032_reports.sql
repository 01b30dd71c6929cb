-- Reports to administrators, what administrators decided, and notices of both. A suspension may have an end.

-- +goose Up
create table reports (
	id         bigint generated always as identity primary key,
	created_at timestamptz(3) not null,
	by_id      bigint not null references users,
	group_id   bigint references groups, -- its administrators decide; null: those of the site
	user_id    bigint not null references users, -- the person, or who wrote the post or comment
	post_id    bigint, -- null: the report is about the person. The post, and the comment, may be gone.
	comment_id bigint check (comment_id is null or post_id is not null),
	objection_id  bigint references journal, -- user_id objects to this entry; null: the report is no objection
	reason     text not null,
	quote      text not null default '', -- the text of the post or comment, if the sender passed it on
	journal_id bigint references journal -- what was decided; null: the report is open
);
create index reports_open on reports (group_id, id) where journal_id is null;
create index reports_by on reports (by_id, id);
create index reports_user on reports (user_id, id);

alter table users add column suspended_until timestamptz(3); -- null: until an administrator restores the account
create index users_suspended_until on users (suspended_until) where suspended_until is not null;

-- What was done to a post or comment, and by the administrators of which group.
alter table journal drop constraint journal_act_check;
alter table journal add constraint journal_act_check check (
	act in ('suspend', 'restore', 'warn', 'delete_post', 'delete_comment', 'take_out', 'dismiss'));
alter table journal add column group_id bigint references groups; -- null: an administrator of the site acted
alter table journal add column written_at timestamptz(3); -- when the post or comment was written; null: the entry is about none
alter table journal add column post_id bigint; -- a post that was taken out of the group; it may be gone since
alter table journal add column until timestamptz(3); -- the end of a suspension
create index journal_group on journal (group_id, id) where group_id is not null;

-- Nodes of earlier versions leave out the notices without a person who acted, and those of an accepted request.
alter table notices add column report_id bigint references reports on delete cascade;
alter table notices add column journal_id bigint references journal;
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (
	kind in ('mention', 'direct', 'comment', 'like', 'comment_like', 'request', 'invitation', 'subscriber', 'intake',
		'accepted', 'left', 'report', 'answer', 'moderation')
	and (kind in ('intake', 'report', 'answer', 'moderation')) = (by_id is null)
	and (kind = 'intake') = (intake_id is not null)
	and (kind in ('report', 'answer')) = (report_id is not null)
	and (kind = 'moderation') = (journal_id is not null));
drop index notices_act;
create unique index notices_act on notices (user_id, kind, by_id, post_id, comment_id, timeline_id) nulls not distinct where by_id is not null;
create unique index notices_report on notices (report_id, user_id, kind) where report_id is not null;
create unique index notices_journal on notices (journal_id, user_id) where journal_id is not null;

-- +goose Down
delete from notices where kind in ('accepted', 'left', 'report', 'answer', 'moderation');
drop index notices_act, notices_report, notices_journal;
alter table notices drop constraint notices_kind_check;
alter table notices drop column report_id, drop column journal_id;
alter table notices add constraint notices_kind_check check (
	kind in ('mention', 'direct', 'comment', 'like', 'comment_like', 'request', 'invitation', 'subscriber', 'intake')
	and (kind = 'intake') = (by_id is null) and (kind = 'intake') = (intake_id is not null));
create unique index notices_act on notices (user_id, kind, by_id, post_id, comment_id, timeline_id) nulls not distinct where intake_id is null;
drop table reports;
delete from journal where act not in ('suspend', 'restore');
alter table journal drop constraint journal_act_check;
alter table journal add constraint journal_act_check check (act in ('suspend', 'restore'));
drop index journal_group;
alter table journal drop column group_id, drop column written_at, drop column post_id, drop column until;
alter table users drop column suspended_until;
