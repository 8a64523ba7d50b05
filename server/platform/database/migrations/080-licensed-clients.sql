-- Licensed clients: who may fetch the lists' changes. And what a list's changes are found by: each row says at which revision
-- of its list it was last written. Times are epoch milliseconds.

alter table patch_repository add column revision bigint not null default 0;
create index patch_repository_by_revision on patch_repository (revision, id);
alter table kb_repository add column revision bigint not null default 0;
create index kb_repository_by_revision on kb_repository (revision, id);
alter table linux_notice add column revision bigint not null default 0;
create index linux_notice_by_revision on linux_notice (revision, id);
alter table centos_patch add column revision bigint not null default 0;
create index centos_patch_by_revision on centos_patch (revision, id);
alter table opensuse_patch add column revision bigint not null default 0;
create index opensuse_patch_by_revision on opensuse_patch (revision, id);
alter table almalinux_patch add column revision bigint not null default 0;
create index almalinux_patch_by_revision on almalinux_patch (revision, id);
alter table rockylinux_patch add column revision bigint not null default 0;
create index rockylinux_patch_by_revision on rockylinux_patch (revision, id);
alter table thirdparty_patch add column revision bigint not null default 0;
create index thirdparty_patch_by_revision on thirdparty_patch (revision, id);
alter table debian_patch add column revision bigint not null default 0;
create index debian_patch_by_revision on debian_patch (revision, id);
alter table pardus_patch add column revision bigint not null default 0;
create index pardus_patch_by_revision on pardus_patch (revision, id);
alter table macos_patch add column revision bigint not null default 0;
create index macos_patch_by_revision on macos_patch (revision, id);
alter table oracle_linux_patch add column revision bigint not null default 0;
create index oracle_linux_patch_by_revision on oracle_linux_patch (revision, id);
alter table patch add column revision bigint not null default 0;
create index patch_by_revision on patch (revision, id);
alter table floto_user add column revision bigint not null default 0;
create index floto_user_by_revision on floto_user (revision, id);
alter table linux_patch_repository add column revision bigint not null default 0;
create index linux_patch_repository_by_revision on linux_patch_repository (revision, id);

-- Revisions are counted within one life of a database: one that was restored counts on from an older number, so it gets another
-- epoch, and whoever has come to a revision of the old one begins again.
create table change_epoch (
  only_one boolean primary key default true check (only_one),
  epoch text not null
);
insert into change_epoch (epoch) values (substr(md5(random()::text || clock_timestamp()::text), 1, 12));

-- What is known of a client and shown to nobody; all else is its row and its detail, written like those of any list.
create table licensed_client (
  row_id bigint primary key references floto_user (id) on delete cascade,
  -- SHA-256 of the token, in hex; null until the activation code is used.
  token_hash text collate "C" unique
);

-- How far a client has come in a list: it has all that was written at this revision and before.
create table client_position (
  row_id bigint not null references licensed_client (row_id) on delete cascade,
  list text not null,
  revision bigint not null,
  fetched_time bigint not null,
  primary key (row_id, list)
);

-- Warnings that were sent: once for each end of a licence and each number of days before it.
create table licence_warning (
  row_id bigint not null references licensed_client (row_id) on delete cascade,
  license_expiry bigint not null,
  days integer not null,
  warned_time bigint not null,
  primary key (row_id, license_expiry, days)
);
