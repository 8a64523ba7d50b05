-- What has changed since a revision of the risk is read by whoever keeps counts in memory: see docs/decisions/047.
alter table record_risk add column revision bigint not null default 0;
create index record_risk_by_revision on record_risk (revision, list, record_id);
