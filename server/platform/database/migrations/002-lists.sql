-- Drafted by scripts/new-migration.ts from the lists of the catalogue.

create table patch_repository (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  name text,
  name_folded text collate "C",
  product_name text,
  product_name_folded text collate "C",
  param_name text,
  param_name_folded text collate "C",
  product_family text,
  product_family_folded text collate "C",
  component text,
  component_folded text collate "C",
  component_start text collate "C",
  kb_id text,
  kb_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  impact text,
  impact_folded text collate "C",
  release_date bigint,
  latest_kb text,
  latest_kb_folded text collate "C",
  cve text,
  cve_folded text collate "C",
  cve_start text collate "C",
  supersedes text,
  supersedes_folded text collate "C",
  supersedes_start text collate "C",
  superseded_by text,
  superseded_by_folded text collate "C",
  superseded_by_start text collate "C",
  architecture text,
  architecture_folded text collate "C",
  architecture_start text collate "C",
  restart_behaviour text,
  restart_behaviour_folded text collate "C"
);
create index patch_repository_listed on patch_repository (id) where withdrawn_time is null;
create index patch_repository_by_name_folded on patch_repository (name_folded, id) where withdrawn_time is null;
create index patch_repository_by_product_name_folded on patch_repository (product_name_folded, id) where withdrawn_time is null;
create index patch_repository_by_param_name_folded on patch_repository (param_name_folded, id) where withdrawn_time is null;
create index patch_repository_by_product_family_folded on patch_repository (product_family_folded, id) where withdrawn_time is null;
create index patch_repository_by_component_start on patch_repository (component_start, id) where withdrawn_time is null;
create index patch_repository_by_kb_id_folded on patch_repository (kb_id_folded, id) where withdrawn_time is null;
create index patch_repository_by_severity_rank on patch_repository (severity_rank, id) where withdrawn_time is null;
create index patch_repository_by_impact_folded on patch_repository (impact_folded, id) where withdrawn_time is null;
create index patch_repository_by_release_date on patch_repository (release_date, id) where withdrawn_time is null;
create index patch_repository_by_latest_kb_folded on patch_repository (latest_kb_folded, id) where withdrawn_time is null;
create index patch_repository_by_cve_start on patch_repository (cve_start, id) where withdrawn_time is null;
create index patch_repository_by_supersedes_start on patch_repository (supersedes_start, id) where withdrawn_time is null;
create index patch_repository_by_superseded_by_start on patch_repository (superseded_by_start, id) where withdrawn_time is null;
create index patch_repository_by_architecture_start on patch_repository (architecture_start, id) where withdrawn_time is null;
create index patch_repository_by_restart_behaviour_folded on patch_repository (restart_behaviour_folded, id) where withdrawn_time is null;
create index patch_repository_by_created_time on patch_repository (created_time, id) where withdrawn_time is null;
create index patch_repository_by_updated_time on patch_repository (updated_time, id) where withdrawn_time is null;
create index patch_repository_by_severity_rank_in_order on patch_repository (severity_rank, release_date, id) where withdrawn_time is null;
create index patch_repository_by_words on patch_repository using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('patch_repository', 0, 0);

create table kb_repository (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  kb_id text,
  kb_id_folded text collate "C",
  title text,
  title_folded text collate "C",
  release_date bigint,
  category text,
  category_folded text collate "C",
  category_rank smallint,
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  product_name text,
  product_name_folded text collate "C",
  product_name_start text collate "C",
  size bigint,
  architecture text,
  architecture_folded text collate "C",
  architecture_start text collate "C",
  restart_behaviour text,
  restart_behaviour_folded text collate "C",
  support_uninstallation boolean,
  cab_exists boolean,
  uuid text,
  uuid_folded text collate "C"
);
create index kb_repository_listed on kb_repository (id) where withdrawn_time is null;
create index kb_repository_by_kb_id_folded on kb_repository (kb_id_folded, id) where withdrawn_time is null;
create index kb_repository_by_title_folded on kb_repository (title_folded, id) where withdrawn_time is null;
create index kb_repository_by_release_date on kb_repository (release_date, id) where withdrawn_time is null;
create index kb_repository_by_category_rank on kb_repository (category_rank, id) where withdrawn_time is null;
create index kb_repository_by_severity_rank on kb_repository (severity_rank, id) where withdrawn_time is null;
create index kb_repository_by_product_name_start on kb_repository (product_name_start, id) where withdrawn_time is null;
create index kb_repository_by_size on kb_repository (size, id) where withdrawn_time is null;
create index kb_repository_by_architecture_start on kb_repository (architecture_start, id) where withdrawn_time is null;
create index kb_repository_by_restart_behaviour_folded on kb_repository (restart_behaviour_folded, id) where withdrawn_time is null;
create index kb_repository_by_support_uninstallation on kb_repository (support_uninstallation, id) where withdrawn_time is null;
create index kb_repository_by_cab_exists on kb_repository (cab_exists, id) where withdrawn_time is null;
create index kb_repository_by_uuid_folded on kb_repository (uuid_folded, id) where withdrawn_time is null;
create index kb_repository_by_category_rank_in_order on kb_repository (category_rank, release_date, id) where withdrawn_time is null;
create index kb_repository_by_severity_rank_in_order on kb_repository (severity_rank, release_date, id) where withdrawn_time is null;
create index kb_repository_by_words on kb_repository using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('kb_repository', 0, 0);

create table linux_notice (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  notice_id text,
  notice_id_folded text collate "C",
  title text,
  title_folded text collate "C",
  affected_os text,
  affected_os_folded text collate "C",
  affected_os_start text collate "C",
  published bigint,
  release_date bigint,
  type text,
  type_folded text collate "C"
);
create index linux_notice_listed on linux_notice (id) where withdrawn_time is null;
create index linux_notice_by_notice_id_folded on linux_notice (notice_id_folded, id) where withdrawn_time is null;
create index linux_notice_by_title_folded on linux_notice (title_folded, id) where withdrawn_time is null;
create index linux_notice_by_affected_os_start on linux_notice (affected_os_start, id) where withdrawn_time is null;
create index linux_notice_by_published on linux_notice (published, id) where withdrawn_time is null;
create index linux_notice_by_release_date on linux_notice (release_date, id) where withdrawn_time is null;
create index linux_notice_by_updated_time on linux_notice (updated_time, id) where withdrawn_time is null;
create index linux_notice_by_type_folded on linux_notice (type_folded, id) where withdrawn_time is null;
create index linux_notice_by_words on linux_notice using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('linux_notice', 0, 0);

create table centos_patch (
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
  os_version_start text collate "C"
);
create index centos_patch_listed on centos_patch (id) where withdrawn_time is null;
create index centos_patch_by_title_folded on centos_patch (title_folded, id) where withdrawn_time is null;
create index centos_patch_by_release_date on centos_patch (release_date, id) where withdrawn_time is null;
create index centos_patch_by_bulletin_id_folded on centos_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index centos_patch_by_severity_rank on centos_patch (severity_rank, id) where withdrawn_time is null;
create index centos_patch_by_binary_pkg_name_start on centos_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index centos_patch_by_category_rank on centos_patch (category_rank, id) where withdrawn_time is null;
create index centos_patch_by_os_version_start on centos_patch (os_version_start, id) where withdrawn_time is null;
create index centos_patch_by_severity_rank_in_order on centos_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index centos_patch_by_category_rank_in_order on centos_patch (category_rank, release_date, id) where withdrawn_time is null;
create index centos_patch_by_words on centos_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('centos_patch', 0, 0);

create table opensuse_patch (
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
  os_version_start text collate "C"
);
create index opensuse_patch_listed on opensuse_patch (id) where withdrawn_time is null;
create index opensuse_patch_by_title_folded on opensuse_patch (title_folded, id) where withdrawn_time is null;
create index opensuse_patch_by_release_date on opensuse_patch (release_date, id) where withdrawn_time is null;
create index opensuse_patch_by_bulletin_id_folded on opensuse_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index opensuse_patch_by_severity_rank on opensuse_patch (severity_rank, id) where withdrawn_time is null;
create index opensuse_patch_by_binary_pkg_name_start on opensuse_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index opensuse_patch_by_category_rank on opensuse_patch (category_rank, id) where withdrawn_time is null;
create index opensuse_patch_by_os_version_start on opensuse_patch (os_version_start, id) where withdrawn_time is null;
create index opensuse_patch_by_severity_rank_in_order on opensuse_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index opensuse_patch_by_category_rank_in_order on opensuse_patch (category_rank, release_date, id) where withdrawn_time is null;
create index opensuse_patch_by_words on opensuse_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('opensuse_patch', 0, 0);

create table almalinux_patch (
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
  os_version_start text collate "C"
);
create index almalinux_patch_listed on almalinux_patch (id) where withdrawn_time is null;
create index almalinux_patch_by_title_folded on almalinux_patch (title_folded, id) where withdrawn_time is null;
create index almalinux_patch_by_release_date on almalinux_patch (release_date, id) where withdrawn_time is null;
create index almalinux_patch_by_bulletin_id_folded on almalinux_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index almalinux_patch_by_severity_rank on almalinux_patch (severity_rank, id) where withdrawn_time is null;
create index almalinux_patch_by_binary_pkg_name_start on almalinux_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index almalinux_patch_by_category_rank on almalinux_patch (category_rank, id) where withdrawn_time is null;
create index almalinux_patch_by_os_version_start on almalinux_patch (os_version_start, id) where withdrawn_time is null;
create index almalinux_patch_by_severity_rank_in_order on almalinux_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index almalinux_patch_by_category_rank_in_order on almalinux_patch (category_rank, release_date, id) where withdrawn_time is null;
create index almalinux_patch_by_words on almalinux_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('almalinux_patch', 0, 0);

create table rockylinux_patch (
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
  os_version_start text collate "C"
);
create index rockylinux_patch_listed on rockylinux_patch (id) where withdrawn_time is null;
create index rockylinux_patch_by_title_folded on rockylinux_patch (title_folded, id) where withdrawn_time is null;
create index rockylinux_patch_by_release_date on rockylinux_patch (release_date, id) where withdrawn_time is null;
create index rockylinux_patch_by_bulletin_id_folded on rockylinux_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index rockylinux_patch_by_severity_rank on rockylinux_patch (severity_rank, id) where withdrawn_time is null;
create index rockylinux_patch_by_binary_pkg_name_start on rockylinux_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index rockylinux_patch_by_category_rank on rockylinux_patch (category_rank, id) where withdrawn_time is null;
create index rockylinux_patch_by_os_version_start on rockylinux_patch (os_version_start, id) where withdrawn_time is null;
create index rockylinux_patch_by_severity_rank_in_order on rockylinux_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index rockylinux_patch_by_category_rank_in_order on rockylinux_patch (category_rank, release_date, id) where withdrawn_time is null;
create index rockylinux_patch_by_words on rockylinux_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('rockylinux_patch', 0, 0);

create table thirdparty_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  uuid text,
  uuid_folded text collate "C",
  name text,
  name_folded text collate "C",
  manufacturer text,
  manufacturer_folded text collate "C",
  description text,
  description_folded text collate "C",
  description_start text collate "C",
  category text,
  category_folded text collate "C",
  category_rank smallint
);
create index thirdparty_patch_listed on thirdparty_patch (id) where withdrawn_time is null;
create index thirdparty_patch_by_uuid_folded on thirdparty_patch (uuid_folded, id) where withdrawn_time is null;
create index thirdparty_patch_by_name_folded on thirdparty_patch (name_folded, id) where withdrawn_time is null;
create index thirdparty_patch_by_manufacturer_folded on thirdparty_patch (manufacturer_folded, id) where withdrawn_time is null;
create index thirdparty_patch_by_description_start on thirdparty_patch (description_start, id) where withdrawn_time is null;
create index thirdparty_patch_by_category_rank on thirdparty_patch (category_rank, id) where withdrawn_time is null;
create index thirdparty_patch_by_words on thirdparty_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('thirdparty_patch', 0, 0);

create table debian_patch (
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
  pkg_name text,
  pkg_name_folded text collate "C",
  os_version text,
  os_version_folded text collate "C",
  bulletin_id text,
  bulletin_id_folded text collate "C",
  priority text,
  priority_folded text collate "C",
  priority_rank smallint,
  pkg_and_version text,
  pkg_and_version_folded text collate "C"
);
create index debian_patch_listed on debian_patch (id) where withdrawn_time is null;
create index debian_patch_by_title_folded on debian_patch (title_folded, id) where withdrawn_time is null;
create index debian_patch_by_pkg_name_folded on debian_patch (pkg_name_folded, id) where withdrawn_time is null;
create index debian_patch_by_os_version_folded on debian_patch (os_version_folded, id) where withdrawn_time is null;
create index debian_patch_by_bulletin_id_folded on debian_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index debian_patch_by_priority_rank on debian_patch (priority_rank, id) where withdrawn_time is null;
create index debian_patch_by_pkg_and_version_folded on debian_patch (pkg_and_version_folded, id) where withdrawn_time is null;
create index debian_patch_by_words on debian_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('debian_patch', 0, 0);

create table pardus_patch (
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
  pkg_name text,
  pkg_name_folded text collate "C",
  os_version text,
  os_version_folded text collate "C",
  bulletin_id text,
  bulletin_id_folded text collate "C",
  priority text,
  priority_folded text collate "C",
  priority_rank smallint,
  pkg_and_version text,
  pkg_and_version_folded text collate "C"
);
create index pardus_patch_listed on pardus_patch (id) where withdrawn_time is null;
create index pardus_patch_by_title_folded on pardus_patch (title_folded, id) where withdrawn_time is null;
create index pardus_patch_by_pkg_name_folded on pardus_patch (pkg_name_folded, id) where withdrawn_time is null;
create index pardus_patch_by_os_version_folded on pardus_patch (os_version_folded, id) where withdrawn_time is null;
create index pardus_patch_by_bulletin_id_folded on pardus_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index pardus_patch_by_priority_rank on pardus_patch (priority_rank, id) where withdrawn_time is null;
create index pardus_patch_by_pkg_and_version_folded on pardus_patch (pkg_and_version_folded, id) where withdrawn_time is null;
create index pardus_patch_by_words on pardus_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('pardus_patch', 0, 0);

create table macos_patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  product_key text,
  product_key_folded text collate "C",
  title text,
  title_folded text collate "C",
  release_date bigint,
  os_version text,
  os_version_folded text collate "C",
  os_version_start text collate "C"
);
create index macos_patch_listed on macos_patch (id) where withdrawn_time is null;
create index macos_patch_by_product_key_folded on macos_patch (product_key_folded, id) where withdrawn_time is null;
create index macos_patch_by_title_folded on macos_patch (title_folded, id) where withdrawn_time is null;
create index macos_patch_by_release_date on macos_patch (release_date, id) where withdrawn_time is null;
create index macos_patch_by_os_version_start on macos_patch (os_version_start, id) where withdrawn_time is null;
create index macos_patch_by_words on macos_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('macos_patch', 0, 0);

create table oracle_linux_patch (
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
  os_version_start text collate "C"
);
create index oracle_linux_patch_listed on oracle_linux_patch (id) where withdrawn_time is null;
create index oracle_linux_patch_by_title_folded on oracle_linux_patch (title_folded, id) where withdrawn_time is null;
create index oracle_linux_patch_by_release_date on oracle_linux_patch (release_date, id) where withdrawn_time is null;
create index oracle_linux_patch_by_bulletin_id_folded on oracle_linux_patch (bulletin_id_folded, id) where withdrawn_time is null;
create index oracle_linux_patch_by_severity_rank on oracle_linux_patch (severity_rank, id) where withdrawn_time is null;
create index oracle_linux_patch_by_binary_pkg_name_start on oracle_linux_patch (binary_pkg_name_start, id) where withdrawn_time is null;
create index oracle_linux_patch_by_category_rank on oracle_linux_patch (category_rank, id) where withdrawn_time is null;
create index oracle_linux_patch_by_os_version_start on oracle_linux_patch (os_version_start, id) where withdrawn_time is null;
create index oracle_linux_patch_by_severity_rank_in_order on oracle_linux_patch (severity_rank, release_date, id) where withdrawn_time is null;
create index oracle_linux_patch_by_category_rank_in_order on oracle_linux_patch (category_rank, release_date, id) where withdrawn_time is null;
create index oracle_linux_patch_by_words on oracle_linux_patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('oracle_linux_patch', 0, 0);

create table patch (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  uuid text,
  uuid_folded text collate "C",
  title text,
  title_folded text collate "C",
  release_date bigint,
  bulletin_id text,
  bulletin_id_folded text collate "C",
  kb_id text,
  kb_id_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  support_url text,
  support_url_folded text collate "C"
);
create index patch_listed on patch (id) where withdrawn_time is null;
create index patch_by_uuid_folded on patch (uuid_folded, id) where withdrawn_time is null;
create index patch_by_title_folded on patch (title_folded, id) where withdrawn_time is null;
create index patch_by_release_date on patch (release_date, id) where withdrawn_time is null;
create index patch_by_bulletin_id_folded on patch (bulletin_id_folded, id) where withdrawn_time is null;
create index patch_by_kb_id_folded on patch (kb_id_folded, id) where withdrawn_time is null;
create index patch_by_severity_rank on patch (severity_rank, id) where withdrawn_time is null;
create index patch_by_support_url_folded on patch (support_url_folded, id) where withdrawn_time is null;
create index patch_by_severity_rank_in_order on patch (severity_rank, release_date, id) where withdrawn_time is null;
create index patch_by_words on patch using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('patch', 0, 0);

create table floto_user (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  client_name text,
  client_name_folded text collate "C",
  license_type text,
  license_type_folded text collate "C",
  license_expiry bigint,
  activation_code text,
  activation_code_folded text collate "C",
  repo_updated_on bigint,
  latest_kb_request_on bigint,
  registered_on bigint,
  application_version text,
  application_version_folded text collate "C"
);
create index floto_user_listed on floto_user (id) where withdrawn_time is null;
create index floto_user_by_client_name_folded on floto_user (client_name_folded, id) where withdrawn_time is null;
create index floto_user_by_license_type_folded on floto_user (license_type_folded, id) where withdrawn_time is null;
create index floto_user_by_license_expiry on floto_user (license_expiry, id) where withdrawn_time is null;
create index floto_user_by_activation_code_folded on floto_user (activation_code_folded, id) where withdrawn_time is null;
create index floto_user_by_repo_updated_on on floto_user (repo_updated_on, id) where withdrawn_time is null;
create index floto_user_by_latest_kb_request_on on floto_user (latest_kb_request_on, id) where withdrawn_time is null;
create index floto_user_by_registered_on on floto_user (registered_on, id) where withdrawn_time is null;
create index floto_user_by_application_version_folded on floto_user (application_version_folded, id) where withdrawn_time is null;
create index floto_user_by_words on floto_user using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('floto_user', 0, 0);

create table linux_patch_repository (
  id bigint generated always as identity primary key,
  natural_key text collate "C" not null unique,
  part text not null,
  content_hash text not null,
  created_time bigint not null,
  updated_time bigint not null,
  withdrawn_time bigint,
  keyword text collate "C" not null,
  patch_id text,
  patch_id_folded text collate "C",
  title text,
  title_folded text collate "C",
  source_pkg_name text,
  source_pkg_name_folded text collate "C",
  source_pkg_version text,
  source_pkg_version_folded text collate "C",
  binary_pkg_name text,
  binary_pkg_name_folded text collate "C",
  binary_pkg_version text,
  binary_pkg_version_folded text collate "C",
  release_date bigint,
  distribution text,
  distribution_folded text collate "C",
  urgency text,
  urgency_folded text collate "C",
  urgency_rank smallint,
  priority text,
  priority_folded text collate "C",
  priority_rank smallint,
  arch text,
  arch_folded text collate "C"
);
create index linux_patch_repository_listed on linux_patch_repository (id) where withdrawn_time is null;
create index linux_patch_repository_by_patch_id_folded on linux_patch_repository (patch_id_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_title_folded on linux_patch_repository (title_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_source_pkg_name_folded on linux_patch_repository (source_pkg_name_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_source_pkg_version_folded on linux_patch_repository (source_pkg_version_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_binary_pkg_name_folded on linux_patch_repository (binary_pkg_name_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_binary_pkg_version_folded on linux_patch_repository (binary_pkg_version_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_release_date on linux_patch_repository (release_date, id) where withdrawn_time is null;
create index linux_patch_repository_by_distribution_folded on linux_patch_repository (distribution_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_urgency_rank on linux_patch_repository (urgency_rank, id) where withdrawn_time is null;
create index linux_patch_repository_by_priority_rank on linux_patch_repository (priority_rank, id) where withdrawn_time is null;
create index linux_patch_repository_by_arch_folded on linux_patch_repository (arch_folded, id) where withdrawn_time is null;
create index linux_patch_repository_by_urgency_rank_in_order on linux_patch_repository (urgency_rank, release_date, id) where withdrawn_time is null;
create index linux_patch_repository_by_priority_rank_in_order on linux_patch_repository (priority_rank, release_date, id) where withdrawn_time is null;
create index linux_patch_repository_by_words on linux_patch_repository using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256) where withdrawn_time is null;
insert into list_revision (list, revision, listed) values ('linux_patch_repository', 0, 0);
