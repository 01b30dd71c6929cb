-- Each primary may have a number of its own, its shard, which is part of the ids that it makes.
-- And no id is made twice, even after a clock or a sequence was set back.

-- +goose Up

-- The shard of this primary. Primaries whose posts are to be merged have different ones.
create table id_generator (
	one   boolean  primary key default true check (one),
	shard smallint not null default 0 check (shard between 0 and 15)
);
insert into id_generator default values;

-- next_id returns a time-ordered id of 53 bits, which fits a JSON number: 31 bits of seconds
-- since 2000, 4 bits of shard, 18 bits of a sequence. Within a second, ids rise in the order in
-- which they are drawn, except when the sequence wraps around.
--
-- The sequence alone keeps only the last 262,144 ids of a second unique. More ids of one second
-- are drawn after a clock was set back, after a sequence was restored from an older state, and
-- by imports, which draw ids for times in the past. So next_id passes over an id that a post, a
-- comment or a file has already. It does not see the rows of transactions that have not ended;
-- but their ids were drawn lately, so the sequence keeps them unique.
drop function next_id(timestamptz, bigint);
-- +goose StatementBegin
create function next_id(at timestamptz default clock_timestamp()) returns bigint
language plpgsql volatile as $$
declare
	base bigint := (greatest(floor(extract(epoch from at))::bigint - 946684800, 0) << 22)
		| ((select shard from id_generator)::bigint << 18);
	made bigint;
begin
	for tries in 1..262144 loop
		made := base | (nextval('id_sequence') & 262143);
		if not exists (select from posts where id = made)
			and not exists (select from comments where id = made)
			and not exists (select from attachments where id = made)
		then
			return made;
		end if;
	end loop;
	raise exception 'all ids of % are taken', at;
end
$$;
-- +goose StatementEnd

-- +goose Down
drop function next_id(timestamptz);
-- +goose StatementBegin
create function next_id(at timestamptz default clock_timestamp(), shard bigint default 0) returns bigint
language sql volatile as $$
	select (greatest(floor(extract(epoch from at))::bigint - 946684800, 0) << 22) | (shard << 18) | (nextval('id_sequence') & 262143)
$$;
-- +goose StatementEnd
drop table id_generator;
