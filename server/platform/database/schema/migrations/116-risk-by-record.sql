-- A record has one number in all lists: its risk needs no list.
do $$
declare
  name text;
begin
  for name in select distinct ev_class::regclass::text from pg_rewrite join pg_depend on objid = pg_rewrite.oid
    where pg_depend.classid = 'pg_rewrite'::regclass and refobjid = 'record_risk'::regclass loop
    execute format('drop view %s', name);
  end loop;
end
$$;
alter table record_risk drop column list, add primary key (record_id);
alter table record_epss drop column list, add primary key (record_id);
create index record_risk_by_revision on record_risk (revision, record_id);
