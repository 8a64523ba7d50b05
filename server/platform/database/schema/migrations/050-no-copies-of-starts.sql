-- Long texts are sorted by an expression over their folded column: the columns of their first characters, which no index reads any more, go.
drop view vulnerabilities;
drop view all_patches;
alter table patch_repository drop column component_start, drop column cve_start, drop column supersedes_start, drop column superseded_by_start, drop column architecture_start;
alter table kb_repository drop column product_name_start, drop column architecture_start;
alter table linux_notice drop column affected_os_start;
alter table centos_patch drop column binary_pkg_name_start, drop column os_version_start;
alter table opensuse_patch drop column binary_pkg_name_start, drop column os_version_start;
alter table almalinux_patch drop column binary_pkg_name_start, drop column os_version_start;
alter table rockylinux_patch drop column binary_pkg_name_start, drop column os_version_start;
alter table oracle_linux_patch drop column binary_pkg_name_start, drop column os_version_start;
alter table amazonlinux_patch drop column binary_pkg_name_start, drop column os_version_start;
alter table macos_patch drop column os_version_start, drop column cve_start;
alter table thirdparty_patch drop column description_start;
alter table record drop column release_start, drop column cve_start, drop column packages_start;
alter table vulnerability drop column ssvc_start, drop column vendors_start, drop column vendor_days_start;
create view vulnerabilities as select
  vulnerability.id, cve collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  cve, vulnerability.cve_folded, title, title_folded, cvss, cvss_vector, cvss_vector_folded, cvss_source, cvss_source_folded,
  severity, severity_folded, severity_rank, epss_score.epss, epss_score.percentile as epss_percentile,
  exploited_since, due_date, ransomware, ssvc, ssvc_folded, published, record_count, vendors, vendors_folded,
  jsonb_build_object('description', cve_record -> 'description', 'status', cve_record -> 'status', 'vendorProject', kev -> 'vendorProject',
    'product', kev -> 'product', 'requiredAction', kev -> 'requiredAction', 'notes', kev -> 'notes',
    'scores', coalesce(cve_record -> 'scores', '[]')) as detail,
  cve_order, days_to_fix, vendor_days, vendor_days_folded
from vulnerability left join epss_score on epss_score.cve_folded = vulnerability.cve_folded;
create view all_patches as select
  record.id, (record.list || ':' || record.record_id) collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, record.revision,
  identifier, identifier_folded, title, title_folded, vendor, vendor_folded, release, release_folded,
  severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded, cve, cve_folded,
  packages, packages_folded, release_date, superseded, record.list, list_folded, record.record_id, folded,
  record_risk.exploited, record_epss.epss, record_risk.cvss, null::jsonb as detail
from record
left join record_risk on record_risk.list = coalesce(record.risk_scope, record.list) and record_risk.record_id = record.record_id
left join record_epss on record_epss.list = coalesce(record.risk_scope, record.list) and record_epss.record_id = record.record_id;
