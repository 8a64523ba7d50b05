alter table macos_patch
  add column version text,
  add column version_folded text collate "C";
create index macos_patch_by_version_folded on macos_patch (version_folded, id) where withdrawn_time is null;
