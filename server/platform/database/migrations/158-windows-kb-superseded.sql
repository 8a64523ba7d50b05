-- Whether another KB replaces it stands in the rows of the KB list. Until the next sync it is told by the KBs that are known to.

alter table patch_repository add column superseded boolean;
update patch_repository set superseded = superseded_by is not null;
create index patch_repository_by_superseded on patch_repository (superseded, id) where withdrawn_time is null;
