-- Notices have the highest priority of their CVEs, packages the percentage of machines that are offered an update.

alter table linux_notice
  add column priority text,
  add column priority_folded text collate "C",
  add column priority_rank smallint;
create index linux_notice_by_priority_rank on linux_notice (priority_rank, id) where withdrawn_time is null;
create index linux_notice_by_priority_rank_in_order on linux_notice (priority_rank, release_date, id) where withdrawn_time is null;

alter table linux_patch_repository
  add column phased_update bigint;
create index linux_patch_repository_by_phased_update on linux_patch_repository (phased_update, id) where withdrawn_time is null;
