-- Of each CVE: the days from its publication to the first record of each vendor that names it, and its number for sorting:
-- CVE-2024-999 comes before CVE-2024-10000. Days are computed with the records: the rows that have some are marked.
alter table vulnerability
  add column cve_order text collate "C",
  add column days_to_fix bigint,
  add column vendor_days text,
  add column vendor_days_folded text collate "C",
  add column vendor_days_start text collate "C";
update vulnerability set cve_order = left(cve_folded, 9) || lpad(substr(cve_folded, 10), 19, '0') where cve_folded ~ '^cve-\d{4}-\d{1,19}$';
update vulnerability set cve_order = cve_folded where cve_order is null;
create index vulnerability_by_cve_order on vulnerability (cve_order, id);
create index vulnerability_by_days_to_fix on vulnerability (days_to_fix, id);
create index vulnerability_by_vendor_days_start on vulnerability (vendor_days_start, id);
drop index vulnerability_by_cve_folded;
insert into stale_cve (cve_folded) select cve_folded from vulnerability where record_count > 0 on conflict do nothing;

create or replace view vulnerabilities as select
  vulnerability.id, cve collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  cve, vulnerability.cve_folded, title, title_folded, cvss, cvss_vector, cvss_vector_folded, cvss_source, cvss_source_folded,
  severity, severity_folded, severity_rank, epss_score.epss, epss_score.percentile as epss_percentile,
  exploited_since, due_date, ransomware, ssvc, ssvc_folded, ssvc_start, published, record_count, vendors, vendors_folded, vendors_start,
  jsonb_build_object('description', cve_record -> 'description', 'status', cve_record -> 'status', 'vendorProject', kev -> 'vendorProject',
    'product', kev -> 'product', 'requiredAction', kev -> 'requiredAction', 'notes', kev -> 'notes',
    'scores', coalesce(cve_record -> 'scores', '[]')) as detail,
  cve_order, days_to_fix, vendor_days, vendor_days_folded, vendor_days_start
from vulnerability left join epss_score on epss_score.cve_folded = vulnerability.cve_folded;
