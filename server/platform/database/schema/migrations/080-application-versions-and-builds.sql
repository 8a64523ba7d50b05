-- The version of an application and the build of a macOS release stand beside their names: they move from the detail to the row.
alter table thirdparty_patch
  add column version text,
  add column version_folded text collate "C";

alter table macos_patch
  add column build text,
  add column build_folded text collate "C";

update thirdparty_patch as patch
set version = stored.detail ->> 'version', version_folded = lower(stored.detail ->> 'version')
from entry_detail as stored
where stored.list = 'thirdparty_patch' and stored.row_id = patch.id and stored.detail ->> 'version' is not null;

update macos_patch as patch
set build = stored.detail ->> 'build', build_folded = lower(stored.detail ->> 'build')
from entry_detail as stored
where stored.list = 'macos_patch' and stored.row_id = patch.id and stored.detail ->> 'build' is not null;
