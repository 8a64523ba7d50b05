-- Machines whose overdue records were announced. One that has none any more is announced again the next time.
create table overdue_machine (
  machine_id bigint primary key
);
-- Whether the machines that were overdue before there were such events are known. They are not announced.
alter table fleet_worker add column overdue_known boolean not null default false;
