-- Days are kept of groups too. The criteria by which the machines were found; null: those that report as this client or group.
alter table fleet_day add column criteria text;
-- Null: not counted on that day.
alter table fleet_day add column machines_unjudged bigint;
alter table fleet_day add column machines_overdue bigint;

-- Parts that reports have replaced since the machine was counted, and when the last of these reports came.
alter table machine_standing add column replaced_parts integer[];
alter table machine_standing add column replaced_on bigint;

-- Records that a report of the machine closed, by the band of their due dates and the days that they took.
create table machine_patched (
  client_id bigint not null,
  machine_id bigint not null,
  day bigint not null,
  band text not null,
  days integer not null,
  records bigint not null,
  primary key (client_id, machine_id, day, band, days)
);
create index machine_patched_by_day on machine_patched (day);

-- Since when patched records are kept.
alter table fleet_worker add column patched_since bigint not null default (extract(epoch from now()) * 1000)::bigint;
