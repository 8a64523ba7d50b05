-- Plans of updates for machines. How far they are is concluded from the standing judgement when a plan is read.
create table machine_plan (
  id bigint generated always as identity primary key,
  name text not null,
  -- Written as in the address of the list of machines.
  criteria text not null,
  choice text not null,
  -- Names of records, as the criterion misses has them.
  records jsonb not null,
  created_time bigint not null,
  created_by text not null,
  -- Machines that met the criteria.
  machines integer not null,
  nothing_to_do integer not null,
  not_judged jsonb not null,
  being_judged jsonb not null,
  not_closed jsonb not null
);

create table machine_plan_task (
  plan_id bigint not null references machine_plan (id) on delete cascade,
  position integer not null,
  system text not null,
  manager text,
  command text,
  restart text,
  updates jsonb not null,
  -- Ids, ascending.
  machines bigint[] not null,
  window_from bigint,
  window_until bigint,
  primary key (plan_id, position)
);
