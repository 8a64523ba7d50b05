-- A record has the highest severity that follows from the scores of its CVEs, by rank: All patches shows it where the vendor states none.
alter table record_risk add column severity_rank smallint;

with rated as materialized (
  select record.id, max(vulnerability.severity_rank) as severity_rank
  from stored_record as record cross join lateral unnest(string_to_array(coalesce(record.cve_folded, lower(record.cve collate "C")), E'\n')) as named(cve)
  join vulnerability on vulnerability.cve_folded = named.cve
  where vulnerability.severity_rank is not null group by record.id)
update record_risk set severity_rank = rated.severity_rank, revision = (select revision + 1 from list_revision where list = 'risk')
from rated where record_risk.record_id = rated.id;
update list_revision set revision = revision + 1 where list = 'risk';
