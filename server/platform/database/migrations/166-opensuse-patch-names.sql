-- The name that zypper knows an openSUSE patch by: it was part of the natural key alone.

alter table opensuse_patch add column patch_name text;
alter table opensuse_patch add column patch_name_folded text collate "C";
update opensuse_patch set patch_name = substr(natural_key, strpos(natural_key, ':') + 1);
update opensuse_patch set patch_name_folded = lower(patch_name);
create index opensuse_patch_by_patch_name_folded on opensuse_patch (patch_name_folded, id) where withdrawn_time is null;

-- The keyword of an erratum has the versions of its packages and Red Hat's ids: rows are written once more when they are read next.

update almalinux_patch set content_hash = '' where withdrawn_time is null;
update centos_patch set content_hash = '' where withdrawn_time is null;
update opensuse_patch set content_hash = '' where withdrawn_time is null;
update oracle_linux_patch set content_hash = '' where withdrawn_time is null;
update rockylinux_patch set content_hash = '' where withdrawn_time is null;
