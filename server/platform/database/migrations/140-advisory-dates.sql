-- The release date of Debian's and Pardus' advisories stands in their rows, so that the newest come first; it was part of the detail.

alter table debian_patch add column release_date bigint;
update debian_patch set release_date = (detail ->> 'releaseDate')::bigint
from entry_detail where list = 'debian_patch' and row_id = id;
update entry_detail set detail = detail - 'releaseDate' where list = 'debian_patch';
create index debian_patch_by_release_date on debian_patch (release_date, id) where withdrawn_time is null;
create index debian_patch_by_priority_rank_in_order on debian_patch (priority_rank, release_date, id) where withdrawn_time is null;

alter table pardus_patch add column release_date bigint;
update pardus_patch set release_date = (detail ->> 'releaseDate')::bigint
from entry_detail where list = 'pardus_patch' and row_id = id;
update entry_detail set detail = detail - 'releaseDate' where list = 'pardus_patch';
create index pardus_patch_by_release_date on pardus_patch (release_date, id) where withdrawn_time is null;
create index pardus_patch_by_priority_rank_in_order on pardus_patch (priority_rank, release_date, id) where withdrawn_time is null;
