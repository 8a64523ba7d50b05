create table amazonlinux_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_name_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C",
  revision bigint not null default 0
);
create index amazonlinux_patch_listed on amazonlinux_patch (id) where withdrawn_time is null;
create index amazonlinux_patch_by_title_folded on amazonlinux_patch (title_folded, id) where withdrawn_time is null;
create index amazonlinux_patch_by_release_date on amazonlinux_patch (release_date, id) where withdrawn_time is null;
create index amazonlinux_patch_by_bulletin_id_folded on amazonlinux_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index amazonlinux_patch_by_severity_rank on amazonlinux_patch (severity_rank, id) where withdrawn_time is null;
create index amazonlinux_patch_by_binary_pkg_name_start on amazonlinux_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index amazonlinux_patch_by_category_rank on amazonlinux_patch (category_rank, id) where withdrawn_time is null;
create index amazonlinux_patch_by_os_version_start on amazonlinux_patch (os_version_start, id) where withdrawn_time is null;
create index amazonlinux_patch_by_severity_rank_in_order on amazonlinux_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index amazonlinux_patch_by_category_rank_in_order on amazonlinux_patch (category_rank, release_date, id) where withdrawn_time is null;
create index amazonlinux_patch_by_words on amazonlinux_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
create index amazonlinux_patch_by_revision on amazonlinux_patch (revision, id);
insert into list_revision (list, revision, listed) values ('amazonlinux_patch', 0, 0);
