-- Notices to administrators: that applicants or held posts wait, and that a group has been handed over.

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

-- +goose Down
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
