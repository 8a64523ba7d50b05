-- The index of records, one row for each listed record of every vendor's list, and what the risk sources say of CVEs.
-- See docs/decisions/036. Times are epoch milliseconds. The rows are derived from the lists by server/platform/database/record-index-sql.ts.

create table record (
  id bigint generated always as identity primary key,
  created_time bigint not null,
  updated_time bigint not null,
  keyword text collate "C" not null,
  identifier text,
  identifier_folded text collate "C",
  title text,
  title_folded text collate "C",
  vendor text,
  vendor_folded text collate "C",
  release text,
  release_folded text collate "C",
  release_start text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  vendor_severity text,
  vendor_severity_folded text collate "C",
  cve text,
  cve_folded text collate "C",
  cve_start text collate "C",
  packages text,
  packages_folded text collate "C",
  packages_start text collate "C",
  release_date bigint,
  superseded boolean,
  list text not null,
  list_folded text collate "C",
  record_id bigint not null,
  -- Another record of the update is found in its place.
  folded boolean not null default false,
  -- Records of one update have the same; null where a record is an update of its own.
  update_key text collate "C",
  -- What the vendor says of exploitation; null where it says nothing.
  vendor_exploited boolean,
  revision bigint not null default 0,
  unique (list, record_id)
);
create index record_by_identifier_folded on record (identifier_folded, id);
create index record_by_title_folded on record (title_folded, id);
create index record_by_vendor_folded on record (vendor_folded, id);
create index record_by_release_start on record (release_start, id);
create index record_by_severity_rank on record (severity_rank, id);
create index record_by_vendor_severity_folded on record (vendor_severity_folded, id);
create index record_by_cve_start on record (cve_start, id);
create index record_by_packages_start on record (packages_start, id);
create index record_by_release_date on record (release_date, id);
create index record_by_superseded on record (superseded, id);
create index record_by_list_folded on record (list_folded, id);
create index record_by_record_id on record (record_id, id);
create index record_by_folded on record (folded, id);
create index record_by_severity_rank_in_order on record (severity_rank, release_date, id);
create index record_by_words on record using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256);
create index record_by_revision on record (revision, id);
insert into list_revision (list, revision, listed) values ('all_patches', 0, 0);
create index record_by_update on record (update_key) where update_key is not null;
create index record_by_cve on record using gin (string_to_array(cve_folded, E'\n')) with (fastupdate = off);

-- How far the index of a list has been built, and by which mapping: another mapping builds it again.
create table record_index_state (
  list text primary key,
  mapping text not null,
  -- Records up to this number are in the index.
  built_to bigint not null,
  done boolean not null
);

create table vulnerability (
  id bigint generated always as identity primary key,
  created_time bigint not null,
  updated_time bigint not null,
  keyword text collate "C" not null,
  cve text not null,
  cve_folded text collate "C" not null unique,
  title text,
  title_folded text collate "C",
  cvss double precision,
  cvss_vector text,
  cvss_vector_folded text collate "C",
  cvss_source text,
  cvss_source_folded text collate "C",
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  exploited_since bigint,
  due_date bigint,
  ransomware boolean,
  ssvc text,
  ssvc_folded text collate "C",
  ssvc_start text collate "C",
  published bigint,
  record_count bigint not null default 0,
  vendors text,
  vendors_folded text collate "C",
  vendors_start text collate "C",
  revision bigint not null default 0,
  -- What each source says, whole, and a hash to tell whether it says something else.
  kev jsonb,
  kev_hash text,
  cve_record jsonb,
  cve_record_hash text,
  -- Of the CVE record at NVD, epoch milliseconds: the newer one wins, whichever file it came from.
  cve_record_modified bigint
);
create index vulnerability_by_cve_folded on vulnerability (cve_folded, id);
create index vulnerability_by_title_folded on vulnerability (title_folded, id);
create index vulnerability_by_cvss on vulnerability (cvss, id);
create index vulnerability_by_cvss_vector_folded on vulnerability (cvss_vector_folded, id);
create index vulnerability_by_cvss_source_folded on vulnerability (cvss_source_folded, id);
create index vulnerability_by_severity_rank on vulnerability (severity_rank, id);
create index vulnerability_by_exploited_since on vulnerability (exploited_since, id);
create index vulnerability_by_due_date on vulnerability (due_date, id);
create index vulnerability_by_ransomware on vulnerability (ransomware, id);
create index vulnerability_by_ssvc_start on vulnerability (ssvc_start, id);
create index vulnerability_by_published on vulnerability (published, id);
create index vulnerability_by_record_count on vulnerability (record_count, id);
create index vulnerability_by_vendors_start on vulnerability (vendors_start, id);
create index vulnerability_by_severity_rank_in_order on vulnerability (severity_rank, published, id);
create index vulnerability_by_words on vulnerability using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256);
create index vulnerability_by_revision on vulnerability (revision, id);
insert into list_revision (list, revision, listed) values ('vulnerabilities', 0, 0);

-- EPSS is apart: it is written every day, and for every CVE when its model changes.
create table epss_score (
  cve_folded text collate "C" primary key,
  -- From 0 to 1.
  epss double precision not null,
  percentile double precision
) with (fillfactor = 70);
create index epss_score_by_epss on epss_score (epss);

-- The highest of the CVEs that a record names; no row where none is known.
create table record_epss (
  list text not null,
  record_id bigint not null,
  epss double precision not null,
  primary key (list, record_id)
) with (fillfactor = 80);
create index record_epss_by_epss on record_epss (epss, list, record_id);

create table record_risk (
  list text not null,
  record_id bigint not null,
  cvss double precision,
  exploited boolean,
  primary key (list, record_id)
) with (fillfactor = 80);
create index record_risk_by_cvss on record_risk (cvss, list, record_id);
create index record_risk_by_exploited on record_risk (exploited, list, record_id);

-- CVEs whose records, or whose own figures, must be computed again. Written with what makes them stale, emptied in batches.
create table stale_cve (
  cve_folded text collate "C" primary key
);

-- Raised when what is joined to records changes: the lists' own revisions stay.
insert into list_revision (list, revision, listed) values ('risk', 0, 0);

create view all_patches as select
  record.id, (record.list || ':' || record.record_id) collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  identifier, identifier_folded, title, title_folded, vendor, vendor_folded, release, release_folded, release_start,
  severity, severity_folded, severity_rank, vendor_severity, vendor_severity_folded, cve, cve_folded, cve_start,
  packages, packages_folded, packages_start, release_date, superseded, record.list, list_folded, record.record_id, folded,
  record_risk.exploited, record_epss.epss, record_risk.cvss, null::jsonb as detail
from record
left join record_risk on record_risk.list = record.list and record_risk.record_id = record.record_id
left join record_epss on record_epss.list = record.list and record_epss.record_id = record.record_id;

create view vulnerabilities as select
  vulnerability.id, cve collate "C" as natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  cve, vulnerability.cve_folded, title, title_folded, cvss, cvss_vector, cvss_vector_folded, cvss_source, cvss_source_folded,
  severity, severity_folded, severity_rank, epss_score.epss, epss_score.percentile as epss_percentile,
  exploited_since, due_date, ransomware, ssvc, ssvc_folded, ssvc_start, published, record_count, vendors, vendors_folded, vendors_start,
  jsonb_build_object('description', cve_record -> 'description', 'status', cve_record -> 'status', 'vendorProject', kev -> 'vendorProject',
    'product', kev -> 'product', 'requiredAction', kev -> 'requiredAction', 'notes', kev -> 'notes',
    'scores', coalesce(cve_record -> 'scores', '[]')) as detail
from vulnerability left join epss_score on epss_score.cve_folded = vulnerability.cve_folded;
