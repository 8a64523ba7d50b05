-- CVEs and exploitation of macOS releases stand in their rows: columns and criteria.

alter table macos_patch add column cve text;
alter table macos_patch add column cve_folded text collate "C";
alter table macos_patch add column cve_start text collate "C";
alter table macos_patch add column exploited boolean;
create index macos_patch_by_cve_start on macos_patch (cve_start, id) where withdrawn_time is null;
create index macos_patch_by_exploited on macos_patch (exploited, id) where withdrawn_time is null;
