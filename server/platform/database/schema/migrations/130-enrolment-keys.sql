-- Machines that report by themselves, with an API key of the scope report. A group has a fleet as a licensed client has one; ids of both
-- share the columns client_id, so their ranges are apart.
alter table licensed_client alter column id set maxvalue 4194303;

create table machine_group (
  id bigint generated always as identity (start with 4194304) primary key,
  name text not null,
  name_folded text collate "C" not null unique
);

-- Null: the key reports no machines. A group stays while its machines do.
alter table api_key add column group_id bigint references machine_group (id);
alter table api_key add column report_count bigint not null default 0;

-- Machines that reported with a key.
create table api_key_machine (
  key_id bigint not null references api_key (id) on delete cascade,
  machine_id bigint not null,
  primary key (key_id, machine_id)
);

-- Who may report machines, with the name that their machines show as client.
create view reporting_fleet as
select id, client_name as name from licensed_client where reports_machines
union all
select id, name from machine_group;
