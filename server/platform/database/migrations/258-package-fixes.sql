-- What each listed record fixes: a row for each package of a release, found by name and by the versions above an installed one.
-- See docs/decisions/055. The rows are derived from the records by catalogue/machines/judgement/kept-fixes.ts.

-- Names that many rows share are numbered.
create table fix_release (
  id integer generated always as identity primary key,
  release text collate "C" not null,
  list text not null,
  unique (release, list)
);
-- Empty where the record states none.
create table fix_variant (
  id integer generated always as identity primary key,
  architecture text not null,
  module text not null,
  pocket text not null,
  unique (architecture, module, pocket)
);
-- Versions of one series are compared by their sort keys alone.
create table fix_series (
  id integer generated always as identity primary key,
  release_id integer not null,
  -- Of the package; the stem of a kernel's.
  name text collate "C" not null,
  of_source boolean not null,
  -- retracted, livepatch; empty for records that are judged by versions.
  special text not null,
  epoch text collate "C" not null,
  unique (release_id, name, of_source, special, epoch)
);
create table package_fix (
  -- Of the index of records.
  record_id bigint not null,
  series_id integer not null,
  variant_id integer not null,
  place integer not null,
  version text not null,
  sort_key text collate "C" not null,
  -- Where the series has another one.
  name text
);
create index package_fix_by_version on package_fix (series_id, sort_key);
create index package_fix_by_record on package_fix (record_id);

-- Lists whose records an earlier version wrote, which kept no fixes: the worker of syncs adds them. To have a list read again, a later
-- migration adds it here.
create table package_fix_to_fill (
  list text primary key,
  -- Records up to this number have been read.
  filled_to bigint not null default 0
);
insert into package_fix_to_fill (list) select distinct list from record;
