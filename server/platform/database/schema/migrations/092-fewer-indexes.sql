-- The id of a record in its list is in few lists, so that one key finds a record by both and by the scope of its risk.
drop index record_by_risk_scope;
alter table record drop constraint record_list_record_id_key;
alter table record add constraint record_record_id_list_key unique (record_id, list);

-- Few CVEs are known exploited.
drop index vulnerability_by_exploited_since;
create index vulnerability_by_exploited_since on vulnerability (exploited_since, id) where exploited_since is not null;
comment on index vulnerability_by_exploited_since is 'CVEs that became known exploited since a visit.';
