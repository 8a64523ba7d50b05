-- Days are kept of groups too. The criteria by which the machines were found; null: those that report as this client or group.
alter table fleet_day add column criteria text;
-- Null: not counted on that day.
alter table fleet_day add column machines_unjudged bigint;
alter table fleet_day add column machines_overdue bigint;
