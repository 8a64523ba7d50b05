-- When the series of a release last changed, so that whoever holds them in memory knows whether they still stand. Always rising.
alter table fix_release add column series_stamp bigint not null default 0;
