-- Posts of new people that wait for an administrator, because they have links.

-- +goose Up
create table held_posts (
	post_id bigint primary key references posts on delete cascade,
	places  text[] not null, -- where the author posts to, in the words of the API: user, user_private, group:NAME
	held_at timestamptz(3) not null
);
create index held_posts_held_at on held_posts (held_at, post_id);

alter table journal drop constraint journal_act_check;
alter table journal add constraint journal_act_check check (
	act in ('suspend', 'restore', 'warn', 'delete_post', 'delete_comment', 'take_out', 'dismiss', 'release'));

-- +goose Down
delete from journal where act = 'release';
alter table journal drop constraint journal_act_check;
alter table journal add constraint journal_act_check check (
	act in ('suspend', 'restore', 'warn', 'delete_post', 'delete_comment', 'take_out', 'dismiss'));
drop table held_posts;
