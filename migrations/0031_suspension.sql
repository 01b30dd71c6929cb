-- What a suspended account wrote is withheld: its rows stay, and no page shows them. users.withheld hides all posts of an
-- account at once, until a job has withheld each of them; and the job takes it back before it shows the first post again.
-- For the other rows the tables get other names, and
-- views without the withheld rows take the old names. So a statement that reads what people see reads the views, and can't
-- show a withheld row by mistake; a statement that looks after all rows, such as an export, reads the tables.
--
-- Nodes of earlier versions work with the views. A view has the columns that its table had when the view was made: a
-- migration that adds a column to such a table makes the view again.

-- +goose Up
alter table users add column withheld boolean not null default false;
alter table posts add column withheld boolean not null default false;

alter table comments rename to all_comments;
alter table likes rename to all_likes;
alter table favs rename to all_favs;
alter table comment_likes rename to all_comment_likes;
alter table mentions rename to all_mentions;

alter table all_comments add column withheld boolean not null default false;
alter table all_likes add column withheld boolean not null default false;
alter table all_favs add column withheld boolean not null default false;
alter table all_comment_likes add column withheld boolean not null default false;
alter table all_mentions add column withheld boolean not null default false;

create index all_comments_withheld on all_comments (post_id, user_id) where withheld;
create index all_likes_withheld on all_likes (post_id, user_id) where withheld;
create index all_favs_withheld on all_favs (post_id, user_id) where withheld;

create view comments as select * from all_comments where not withheld;
create view likes as select * from all_likes where not withheld;
create view favs as select * from all_favs where not withheld;
create view comment_likes as select * from all_comment_likes where not withheld;
create view mentions as select * from all_mentions where not withheld;

-- A job withholds the rows of a suspended account, or shows them again after the suspension. It has a table of its own,
-- because nodes of earlier versions take each row of the table jobs for a deleted account.
create table suspension_jobs (
	id         bigint generated always as identity primary key,
	user_id    bigint not null references users,
	created_at timestamptz(3) not null default now(),
	step       int not null default 0, -- as in the table jobs
	upto       bigint not null default 0,
	empty_at   timestamptz
);

-- What administrators did to accounts. No statement changes a row.
create table journal (
	id      bigint generated always as identity primary key,
	at      timestamptz(3) not null,
	by_id   bigint references users, -- null: the operator of the server, at the command line
	act     text not null check (act in ('suspend', 'restore')),
	user_id bigint not null references users,
	reason  text not null default ''
);
create index journal_user on journal (user_id, id);

-- Accounts that are suspended already.
update users set withheld = true where suspended_at is not null and status <> 'deleted';
update timelines t set access = 'closed' from users u
where u.suspended_at is not null and u.status <> 'deleted' and t.their_id = u.id
	and t.what in ('user', 'user_likes', 'user_comments', 'user_private', 'user_fyeo', 'user_directs', 'user_favs', 'user_discussions', 'mentions');
insert into suspension_jobs (user_id) select id from users where suspended_at is not null and status <> 'deleted';
-- Nodes read everything again, because they follow no change of this migration.
update log_head set uuid = gen_random_uuid() where exists (select from users where suspended_at is not null);

-- +goose Down
drop table journal;
drop table suspension_jobs;
update timelines t set access = case
		when t.what = 'user_private' then 'private'
		when t.what not in ('user', 'user_likes', 'user_comments') then 'owner'
		when u.status in ('public', 'disallow-robots') then 'public'
		when u.status = 'fyeo' then 'owner'
		else u.status end
from users u
where u.withheld and u.status <> 'deleted' and t.their_id = u.id
	and t.what in ('user', 'user_likes', 'user_comments', 'user_private', 'user_fyeo', 'user_directs', 'user_favs', 'user_discussions', 'mentions');
update posts p set
	comments_count = (select count(*) from all_comments where post_id = p.id),
	likes_count = (select count(*) from all_likes where post_id = p.id),
	favs_count = (select count(*) from all_favs where post_id = p.id)
where exists (select from all_comments where post_id = p.id and withheld)
	or exists (select from all_likes where post_id = p.id and withheld)
	or exists (select from all_favs where post_id = p.id and withheld);
update posts p set fresh_at = (extract(epoch from c.at) * 1000)::bigint
from (select post_id, max(created_at) filter (where bumps) at from all_comments group by 1 having bool_or(withheld)) c
where c.post_id = p.id and c.at is not null;
update timeline_entries e set fresh_at = p.fresh_at from posts p where p.id = e.post_id and e.fresh_at <> p.fresh_at;
update timelines t set latest_at = e.fresh_at
from (select timeline_id, max(fresh_at) fresh_at from timeline_entries group by 1) e
where e.timeline_id = t.id and t.latest_at < e.fresh_at;
update all_comments c set likes_count = (select count(*) from all_comment_likes where comment_id = c.id)
where exists (select from all_comment_likes where comment_id = c.id and withheld);
drop view comments, likes, favs, comment_likes, mentions;
alter table posts drop column withheld;
alter table users drop column withheld;
alter table all_comments drop column withheld;
alter table all_likes drop column withheld;
alter table all_favs drop column withheld;
alter table all_comment_likes drop column withheld;
alter table all_mentions drop column withheld;
alter table all_comments rename to comments;
alter table all_likes rename to likes;
alter table all_favs rename to favs;
alter table all_comment_likes rename to comment_likes;
alter table all_mentions rename to mentions;
update log_head set uuid = gen_random_uuid() where exists (select from users where suspended_at is not null);
