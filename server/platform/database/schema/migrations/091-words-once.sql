-- `keyword` has the words of a record that no other searched column has: those of its details and packages. The words of these lists
-- are all in other columns.
update machine set keyword = '' where keyword <> '';
update vulnerability set keyword = '' where keyword <> '';

-- The names of a record of the index are words of its keyword too.
drop view all_patches;
create view all_patches as select
  record.id, (record.list || ':' || record.record_id) collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time,
  concat_ws(E'\n', nullif(keyword, ''), names) collate "C" as keyword, record.revision,
  identifier, identifier_folded, title, title_folded, vendor, vendor_folded, release, release_folded,
  severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded, cve, cve_folded,
  packages, packages_folded, release_date, superseded, record.list, list_folded, record.record_id, folded,
  record_risk.exploited, record_risk.ransomware, record_epss.epss, record_risk.cvss, null::jsonb as detail
from record
left join record_risk on record_risk.list = coalesce(record.risk_scope, record.list) and record_risk.record_id = record.record_id
left join record_epss on record_epss.list = coalesce(record.risk_scope, record.list) and record_epss.record_id = record.record_id;
