alter table vulnerability add column withdrawn_time bigint;
comment on column vulnerability.withdrawn_time is 'Since when neither a risk source nor a listed record mentions the CVE; null: one does.';
create or replace view vulnerabilities as select
  vulnerability.id, cve collate "C" as natural_key, created_time, updated_time, vulnerability.withdrawn_time, keyword, revision,
  cve, vulnerability.cve_folded, title, title_folded, cvss, cvss_vector, cvss_vector_folded, cvss_source, cvss_source_folded,
  severity, severity_folded, severity_rank, epss_score.epss, epss_score.percentile as epss_percentile,
  exploited_since, due_date, ransomware, ssvc, ssvc_folded, published, record_count, vendors, vendors_folded,
  jsonb_build_object('description', cve_record -> 'description', 'status', cve_record -> 'status', 'vendorProject', kev -> 'vendorProject',
    'product', kev -> 'product', 'requiredAction', kev -> 'requiredAction', 'notes', kev -> 'notes',
    'scores', coalesce(cve_record -> 'scores', '[]')) as detail,
  cve_order, days_to_fix, vendor_days, vendor_days_folded
from vulnerability left join epss_score on epss_score.cve_folded = vulnerability.cve_folded;
-- Those of before are withdrawn when the service refreshes what is stale, and CVEs of which only statuses of packages tell are added.
insert into stale_cve (cve_folded, scores, facts, records, stated)
select cve_folded, false, false, true, false from vulnerability where record_count = 0 and kev is null and cve_record is null
  and not exists (select from epss_score where epss_score.cve_folded = vulnerability.cve_folded)
union select lower(cve), false, false, true, false from package_status where word <> 'gone'
on conflict (cve_folded) do update set records = true;
