-- How a person sees the pages, and the devices on which they are signed in.

-- +goose Up

alter table users
	add column theme text not null default 'system' check (theme in ('system', 'light', 'dark')),
	add column density text not null default 'comfortable' check (density in ('comfortable', 'compact')),
	-- A name of the IANA database, such as Europe/Amsterdam; empty: the zone of the browser.
	add column time_zone text not null default '' check (length(time_zone) <= 64);

-- A person can end one of their sessions by its id. Only the names of the browser and of the
-- system are kept of a User-Agent, for example "Firefox/Android".
alter table sessions add column id bigint generated always as identity;
update sessions set agent = concat_ws('/',
	case
		when agent ~ 'Edg' then 'Edge' when agent ~ 'OPR|Opera' then 'Opera' when agent ~ 'Firefox|FxiOS' then 'Firefox'
		when agent ~ 'Chrome|CriOS' then 'Chrome' when agent ~ 'Safari' then 'Safari'
	end,
	case
		when agent ~ 'iPhone' then 'iPhone' when agent ~ 'iPad' then 'iPad' when agent ~ 'Android' then 'Android'
		when agent ~ 'Windows' then 'Windows' when agent ~ 'CrOS' then 'ChromeOS' when agent ~ 'Mac' then 'Mac' when agent ~ 'Linux' then 'Linux'
	end);

-- +goose Down
alter table users drop column theme, drop column density, drop column time_zone;
alter table sessions drop column id;
