-- Licensed clients may fetch the vulnerabilities. The revision of the list at which the facts of a CVE last changed: counting its
-- records again raises `revision` alone, and EPSS neither. See docs/decisions/044.
alter table vulnerability add column told_revision bigint not null default 0;
update vulnerability set told_revision = revision;
create index vulnerability_by_told_revision on vulnerability (told_revision, id);

create or replace view vulnerabilities as select
  vulnerability.id, cve collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  cve, vulnerability.cve_folded, title, title_folded, cvss, cvss_vector, cvss_vector_folded, cvss_source, cvss_source_folded,
  severity, severity_folded, severity_rank, epss_score.epss, epss_score.percentile as epss_percentile,
  exploited_since, due_date, ransomware, ssvc, ssvc_folded, ssvc_start, published, record_count, vendors, vendors_folded, vendors_start,
  jsonb_build_object('description', cve_record -> 'description', 'status', cve_record -> 'status', 'vendorProject', kev -> 'vendorProject',
    'product', kev -> 'product', 'requiredAction', kev -> 'requiredAction', 'notes', kev -> 'notes',
    'scores', coalesce(cve_record -> 'scores', '[]')) as detail,
  told_revision
from vulnerability left join epss_score on epss_score.cve_folded = vulnerability.cve_folded;
