-- A record says whether ransomware uses one of its CVEs, as it says whether one is known exploited.
alter table record_risk add column ransomware boolean;

with used as materialized (select cve_folded from vulnerability where ransomware),
  scopes as materialized (
    select scope.list, record.record_id, scope.cves from record cross join lateral (values
      (record.list, case when risk_scope is null then cve_folded else own_cve_folded end),
      (risk_scope, cve_folded)) as scope(list, cves)
    where scope.list is not null and scope.cves is not null)
update record_risk set ransomware = true, revision = (select revision + 1 from list_revision where list = 'risk')
from scopes
where record_risk.list = scopes.list and record_risk.record_id = scopes.record_id
  and exists (select from unnest(string_to_array(scopes.cves, E'\n')) as named(cve) where named.cve in (select cve_folded from used));
update list_revision set revision = revision + 1 where list = 'risk';

drop view all_patches;
create view all_patches as select
  record.id, (record.list || ':' || record.record_id) collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, record.revision,
  identifier, identifier_folded, title, title_folded, vendor, vendor_folded, release, release_folded,
  severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded, cve, cve_folded,
  packages, packages_folded, release_date, superseded, record.list, list_folded, record.record_id, folded,
  record_risk.exploited, record_risk.ransomware, record_epss.epss, record_risk.cvss, null::jsonb as detail
from record
left join record_risk on record_risk.list = coalesce(record.risk_scope, record.list) and record_risk.record_id = record.record_id
left join record_epss on record_epss.list = coalesce(record.risk_scope, record.list) and record_epss.record_id = record.record_id;
