-- CVSS scores that the vendors' records state, beside those of NVD's files. See docs/decisions/059.

-- Of each vendor's list the highest score for each version of CVSS, with the record that states it: of several the first one.
create table vendor_score (
  cve_folded text collate "C" not null,
  list text not null,
  -- Of CVSS; empty where the vector does not tell it.
  version text not null,
  score double precision not null,
  vector text,
  record_id bigint not null,
  release_date bigint,
  primary key (cve_folded, list, version)
);
create index vendor_score_by_record on vendor_score (list, record_id);

-- The record that stated a score states it no longer: it is looked for in the other records that name the CVE.
alter table stale_cve add column stated boolean not null default false;

-- Lists whose records an earlier version wrote, which kept no scores of vendors: the worker of syncs adds them. To have a list read again,
-- a later migration adds it here.
create table vendor_score_to_fill (
  list text primary key,
  -- Records up to this number have been read.
  filled_to bigint not null default 0
);
insert into vendor_score_to_fill (list) select distinct list from record where list in ('patch_repository', 'oracle_linux_patch', 'rockylinux_patch');
