-- Notices to administrators: that applicants or held posts wait, and that a group has been handed over. Posts that administrators hide.

-- +goose Up
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (
	kind in ('mention', 'direct', 'comment', 'like', 'comment_like', 'request', 'invitation', 'subscriber', 'intake',
		'accepted', 'left', 'report', 'answer', 'moderation', 'applicant', 'held', 'heir')
	and (kind in ('intake', 'report', 'answer', 'moderation', 'applicant', 'held', 'heir')) = (by_id is null)
	and (kind = 'intake') = (intake_id is not null)
	and (kind in ('report', 'answer')) = (report_id is not null)
	and (kind = 'moderation') = (journal_id is not null));
create unique index notices_waiting on notices (user_id, kind) where kind in ('applicant', 'held');
create unique index notices_heir on notices (user_id, timeline_id) where kind = 'heir';

alter table held_posts add column journal_id bigint references journal; -- the decision that hid the post; null: its author is new
alter table journal drop constraint journal_act_check;
alter table journal add constraint journal_act_check check (
	act in ('suspend', 'restore', 'warn', 'delete_post', 'delete_comment', 'take_out', 'dismiss', 'release', 'accept', 'refuse', 'hide'));

-- +goose Down
alter table held_posts drop column journal_id;
update journal set act = 'take_out' where act = 'hide'; -- no entry is deleted, and of the earlier acts this one says most
alter table journal drop constraint journal_act_check;
alter table journal add constraint journal_act_check check (
	act in ('suspend', 'restore', 'warn', 'delete_post', 'delete_comment', 'take_out', 'dismiss', 'release', 'accept', 'refuse'));
delete from notices where kind in ('applicant', 'held', 'heir');
drop index notices_waiting, notices_heir;
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (
	kind in ('mention', 'direct', 'comment', 'like', 'comment_like', 'request', 'invitation', 'subscriber', 'intake',
		'accepted', 'left', 'report', 'answer', 'moderation')
	and (kind in ('intake', 'report', 'answer', 'moderation')) = (by_id is null)
	and (kind = 'intake') = (intake_id is not null)
	and (kind in ('report', 'answer')) = (report_id is not null)
	and (kind = 'moderation') = (journal_id is not null));
