-- The rest of the access model: feeds for their owner's eyes only, invitations, and the work
-- that is left after a person has deleted their account.

-- +goose Up

alter table users drop constraint users_status_check;
alter table users add constraint users_status_check
	check (status in ('public', 'disallow-robots', 'protected', 'private', 'fyeo', 'deleted'));

-- The reverse of a request: the owner of a feed, or an administrator of a group, invites a person.
create table invitations (
	id          uuid primary key default gen_random_uuid(),
	user_id     bigint not null references users, -- the invited person
	timeline_id bigint not null references timelines,
	from_id     bigint not null references users, -- the person who invites
	created_at  timestamptz(3) not null default now(),
	unique (user_id, timeline_id)
);
create index invitations_timeline on invitations (timeline_id);

-- Whether the subscription will be forward only once the request is accepted.
alter table subscription_requests add column forward_only boolean not null default false;

create index hidden_posts_post on hidden_posts (post_id);
create index hidden_users_target on hidden_users (target_id);
create index list_members_timeline on list_members (timeline_id);

-- Work that goes on after the transaction that began it, a chunk at a time.
create table jobs (
	id         bigint generated always as identity primary key,
	kind       text not null check (kind in ('delete account')),
	user_id    bigint not null references users,
	created_at timestamptz(3) not null default now(),
	step       int not null default 0, -- the step that the work has come to
	upto       bigint not null default 0, -- how far the work has come within the step
	empty_at   timestamptz -- when nothing was left; transactions that began before then may still add rows
);

-- Indexes by which the erase job finds a person's posts and other rows.
drop index posts_user;
create index posts_user on posts (user_id, id) where deleted_at is null;
create index attachments_user on attachments (user_id);
create index attachments_comment on attachments (comment_id) where comment_id is not null;
create index invitations_from on invitations (from_id);

-- +goose Down
drop index attachments_comment;
drop index attachments_user;
drop index posts_user;
create index posts_user on posts (user_id, id);
drop table jobs;
drop index list_members_timeline;
drop index hidden_users_target;
drop index hidden_posts_post;
alter table subscription_requests drop column forward_only;
drop table invitations;
alter table users drop constraint users_status_check;
alter table users add constraint users_status_check
	check (status in ('public', 'disallow-robots', 'protected', 'private', 'deleted'));
