-- Searches find posts by the kinds of their files: @image, @video, @audio, @file among the
-- words of a post.

-- +goose Up
update post_words w set words = w.words || array_to_tsvector(f.kinds)
from (
	select post_id, array_agg(distinct '@' || kind) as kinds
	from attachments where post_id is not null and state = 'ready' group by post_id
) f
where w.post_id = f.post_id;

-- +goose Down
update post_words set words = ts_delete(words, array['@image', '@video', '@audio', '@file'])
where words @@ '''@image'' | ''@video'' | ''@audio'' | ''@file'''::tsquery;
