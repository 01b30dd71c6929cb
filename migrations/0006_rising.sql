-- Rankings of all time, by points alone. The rankings that were called those of all time until
-- now, in which newer posts need fewer points, keep their ids and their scores, and become the
-- rankings of rising posts.

-- +goose Up
insert into timelines (what, their_id, access)
select r.what, 4294967296 + e.their_id, 'public'
from timelines e cross join unnest(array['best_of', 'most_faved']) r(what)
where e.what = 'everything'
order by r.what, e.their_id;

-- A ranking of all time is found by a walk down the highest counts.
create index posts_likes on posts (likes_count, id) where likes_count > 0;
create index posts_comments on posts (comments_count, id) where comments_count > 0;
create index posts_favs on posts (favs_count, id) where favs_count > 0;

-- +goose Down
drop index posts_likes, posts_comments, posts_favs;
delete from rankings r using timelines t where t.id = r.timeline_id and t.what in ('best_of', 'most_faved') and t.their_id >= 4294967296;
delete from timeline_entries e using timelines t where t.id = e.timeline_id and t.what in ('best_of', 'most_faved') and t.their_id >= 4294967296;
delete from timelines where what in ('best_of', 'most_faved') and their_id >= 4294967296;
