-- A record's row has its detail, and no text twice: folded texts that are their text in lower case, and fields of a list that have the
-- value of All patches, follow from the others. The service makes the views anew: see docs/decisions/076.
drop view record cascade;
do $$
declare
  name text;
begin
  for name in select distinct ev_class::regclass::text from pg_rewrite join pg_depend on objid = pg_rewrite.oid
    where pg_depend.classid = 'pg_rewrite'::regclass and refobjid = 'stored_record'::regclass and ev_class <> 'stored_record'::regclass loop
    execute format('drop view %s', name);
  end loop;
end
$$;

-- Hashes of names take a quarter of their texts in an index.
create function hash_names(text[]) returns integer[] language sql immutable strict parallel safe
  return (select array_agg(hashtext(name)) from unnest($1) as name);

drop index stored_record_by_identifier;
drop index stored_record_by_alias;
drop index stored_record_by_cve;
drop index stored_record_by_names;

alter table stored_record add column detail json;

-- The columns of lists that All patches has too, always the same or mostly.
create temporary table shared_column (list text, own_column text, shown_column text, is_same boolean) on commit drop;
insert into shared_column values
  ('patch_repository', 'product_name', 'release', false), ('patch_repository', 'kb_id', 'identifier', true), ('patch_repository', 'severity', 'vendor_severity', false), ('patch_repository', 'release_date', 'release_date', true), ('patch_repository', 'cve', 'cve', false), ('patch_repository', 'superseded', 'superseded', false),
  ('kb_repository', 'release_date', 'release_date', true), ('kb_repository', 'severity', 'severity', false), ('kb_repository', 'product_name', 'release', false), ('kb_repository', 'superseded', 'superseded', false),
  ('linux_notice', 'notice_id', 'identifier', true), ('linux_notice', 'title', 'title', true), ('linux_notice', 'affected_os', 'release', false), ('linux_notice', 'published', 'release_date', true), ('linux_notice', 'priority', 'vendor_severity', false),
  ('centos_patch', 'title', 'title', true), ('centos_patch', 'release_date', 'release_date', true), ('centos_patch', 'bulletin_id', 'identifier', true), ('centos_patch', 'severity', 'severity', false), ('centos_patch', 'os_version', 'release', false),
  ('opensuse_patch', 'title', 'title', true), ('opensuse_patch', 'release_date', 'release_date', true), ('opensuse_patch', 'severity', 'severity', false), ('opensuse_patch', 'os_version', 'release', false),
  ('almalinux_patch', 'title', 'title', true), ('almalinux_patch', 'release_date', 'release_date', true), ('almalinux_patch', 'bulletin_id', 'identifier', true), ('almalinux_patch', 'severity', 'severity', false), ('almalinux_patch', 'os_version', 'release', false),
  ('rockylinux_patch', 'title', 'title', true), ('rockylinux_patch', 'release_date', 'release_date', true), ('rockylinux_patch', 'bulletin_id', 'identifier', true), ('rockylinux_patch', 'severity', 'severity', false), ('rockylinux_patch', 'os_version', 'release', false),
  ('thirdparty_patch', 'uuid', 'identifier', true),
  ('debian_patch', 'title', 'title', true), ('debian_patch', 'os_version', 'release', false), ('debian_patch', 'priority', 'severity', false), ('debian_patch', 'release_date', 'release_date', true),
  ('pardus_patch', 'title', 'title', true), ('pardus_patch', 'os_version', 'release', false), ('pardus_patch', 'priority', 'severity', false), ('pardus_patch', 'release_date', 'release_date', true),
  ('macos_patch', 'product_key', 'identifier', true), ('macos_patch', 'title', 'title', true), ('macos_patch', 'release_date', 'release_date', true), ('macos_patch', 'os_version', 'release', false), ('macos_patch', 'cve', 'cve', false),
  ('oracle_linux_patch', 'title', 'title', true), ('oracle_linux_patch', 'release_date', 'release_date', true), ('oracle_linux_patch', 'bulletin_id', 'identifier', true), ('oracle_linux_patch', 'severity', 'severity', false), ('oracle_linux_patch', 'os_version', 'release', false),
  ('patch', 'title', 'title', true), ('patch', 'release_date', 'release_date', true), ('patch', 'severity', 'severity', false), ('patch', 'superseded', 'superseded', false),
  ('linux_patch_repository', 'title', 'title', true), ('linux_patch_repository', 'binary_pkg_name', 'packages', false), ('linux_patch_repository', 'release_date', 'release_date', true), ('linux_patch_repository', 'distribution', 'release', false), ('linux_patch_repository', 'urgency', 'vendor_severity', false),
  ('amazonlinux_patch', 'title', 'title', true), ('amazonlinux_patch', 'release_date', 'release_date', true), ('amazonlinux_patch', 'bulletin_id', 'identifier', true), ('amazonlinux_patch', 'severity', 'severity', false), ('amazonlinux_patch', 'os_version', 'release', false);

update stored_record as stored set
  detail = (select detail from entry_detail where entry_detail.list = stored.list and row_id = stored.id),
  own = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(own) where key not like '%\_rank' and key <> all(followed)) || nulls,
  identifier_folded = nullif(identifier_folded, lower(identifier collate "C")),
  alias_folded = nullif(alias_folded, lower(alias collate "C")),
  title_folded = nullif(title_folded, lower(title collate "C")),
  vendor_folded = nullif(vendor_folded, lower(vendor collate "C")),
  release_folded = nullif(release_folded, lower(release collate "C")),
  severity_folded = nullif(severity_folded, lower(severity collate "C")),
  vendor_severity_folded = nullif(vendor_severity_folded, lower(vendor_severity collate "C")),
  cve_folded = nullif(cve_folded, lower(cve collate "C")),
  packages_folded = nullif(packages_folded, lower(packages collate "C"))
from (
  select id,
    coalesce(array_agg(own_column) filter (where is_same or is_equal)
      || array_agg(own_column || '_folded') filter (where is_same or is_equal), '{}') as followed,
    -- What a list lacks and All patches has.
    coalesce(jsonb_object_agg(own_column, null::text) filter (where not is_same and not own ? own_column and shown -> shown_column <> 'null'), '{}') as nulls
  from stored_record left join shared_column using (list)
  cross join lateral (select
    jsonb_build_object('release', release, 'severity', severity, 'vendor_severity', vendor_severity, 'cve', cve, 'packages', packages,
      'superseded', superseded) as shown,
    jsonb_build_object('release', release_folded, 'severity', severity_folded, 'vendor_severity', vendor_severity_folded, 'cve', cve_folded,
      'packages', packages_folded, 'superseded', superseded) as words) as cells
  cross join lateral (select own -> own_column = shown -> shown_column
    and coalesce(own ->> (own_column || '_folded'), lower((own ->> own_column) collate "C")) = words ->> shown_column as is_equal) as compared
  group by id) as compared
where compared.id = stored.id;
drop table entry_detail;
