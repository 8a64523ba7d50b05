-- A record's row has its own values alone. What All patches shows of an update of several records, its highest severity and the CVEs of all,
-- stands beside its records, and its risk follows from theirs.
do $$
declare
  name text;
begin
  for name in select distinct ev_class::regclass::text from pg_rewrite join pg_depend on objid = pg_rewrite.oid
    where pg_depend.classid = 'pg_rewrite'::regclass and refobjid = 'stored_record'::regclass and ev_class <> 'stored_record'::regclass loop
    execute format('drop view %s cascade', name);
  end loop;
end
$$;

create table update_values (
  -- The record that All patches shows for the update.
  id bigint primary key,
  update_key text collate "C" not null unique,
  release text,
  release_folded text collate "C",
  cve text,
  cve_folded text collate "C",
  packages text,
  packages_folded text collate "C",
  keyword text collate "C" not null default '',
  severity text,
  severity_folded text collate "C",
  severity_rank smallint,
  vendor_severity text,
  vendor_severity_folded text collate "C",
  superseded boolean
);
insert into update_values
select id, update_key, release, release_folded, cve, cve_folded, packages, packages_folded, keyword, severity, severity_folded, severity_rank,
  vendor_severity, vendor_severity_folded, superseded
from stored_record where risk_scope is not null and withdrawn_time is null;

update stored_record set cve = upper(own_cve_folded), cve_folded = null, vendor_exploited = own_vendor_exploited where risk_scope is not null;
-- The other values of these records are read from their lists again, in the background.
delete from record_index_state where list in (select distinct list from stored_record where risk_scope is not null);
alter table stored_record drop column risk_scope, drop column own_cve_folded, drop column own_vendor_exploited;
delete from record_risk where list like 'update:%';
delete from record_epss where list like 'update:%';
