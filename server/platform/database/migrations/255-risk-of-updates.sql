-- A record that stands for an update names, in the index of records, the CVEs of all records of the update. All patches shows the risk of
-- these; the record's own list shows that of its own. See docs/decisions/036.

-- The name under which the risk of the update is kept beside the record's own; null where the record stands for itself alone.
alter table record add column risk_scope text;
-- What the record itself says, where the columns of the same names hold what the update says.
alter table record add column own_cve_folded text collate "C";
alter table record add column own_vendor_exploited boolean;
create index record_by_risk_scope on record ((coalesce(risk_scope, list)), record_id);

create or replace view all_patches as select
  record.id, (record.list || ':' || record.record_id) collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, record.revision,
  identifier, identifier_folded, title, title_folded, vendor, vendor_folded, release, release_folded, release_start,
  severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded, cve, cve_folded, cve_start,
  packages, packages_folded, packages_start, release_date, superseded, record.list, list_folded, record.record_id, folded,
  record_risk.exploited, record_epss.epss, record_risk.cvss, null::jsonb as detail, record.known_exploited
from record
left join record_risk on record_risk.list = coalesce(record.risk_scope, record.list) and record_risk.record_id = record.record_id
left join record_epss on record_epss.list = coalesce(record.risk_scope, record.list) and record_epss.record_id = record.record_id;

-- What of a CVE has changed: its score changes every day and moves nothing but the highest score of its records.
alter table stale_cve add column scores boolean not null default true;
alter table stale_cve add column facts boolean not null default true;
