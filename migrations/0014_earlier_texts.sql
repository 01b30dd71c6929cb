-- The earlier texts of posts and comments that were edited.

-- +goose Up
create table earlier_texts (
	id          bigint generated always as identity primary key,
	post_id     bigint not null references posts on delete cascade,
	comment_id  bigint references comments on delete cascade, -- null: a text of the post
	text        text not null,
	places      bigint[] not null, -- the decisive timelines of the post when the text was replaced
	written_at  timestamptz(3) not null,
	replaced_at timestamptz(3) not null
);
create index earlier_texts_of on earlier_texts (post_id, comment_id, id);
create index earlier_texts_comment on earlier_texts (comment_id) where comment_id is not null;

-- +goose Down
drop table earlier_texts;
