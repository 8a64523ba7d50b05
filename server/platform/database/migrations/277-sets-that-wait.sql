-- What reports add to part_machines waits here, a row for each report, and is merged into the sets of many reports at once. Whoever reads
-- sets reads these too. Not partitioned: a few rows for each client that is reporting now.
create table waiting_sets (
  id bigint generated always as identity primary key,
  client_id bigint not null,
  -- One behind the other: number of the part, chunk, length, and the set as in part_machines.
  sets bytea not null
);
create index waiting_sets_by_client on waiting_sets (client_id, id);
alter table waiting_sets alter column sets set storage external;
