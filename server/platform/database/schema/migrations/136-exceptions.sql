-- An exception has a kind, an owner and a scope: a machine, a client, the machines that a group had when it was decided, or all.
alter table missing_exception
  -- Null: of a group or of all.
  alter column client_id drop not null,
  -- Null: without end.
  alter column until drop not null,
  add column kind text not null default 'accepted',
  add column owner_id bigint references users (id) on delete set null,
  -- Of a person without an account.
  add column owner_address text,
  -- Also of a group that was removed since.
  add column group_id bigint,
  -- Whether its end was announced.
  add column warned boolean not null default false;

drop index missing_exception_once;
create unique index missing_exception_once
  on missing_exception (coalesce(client_id, 0), coalesce(machine_id, 0), identity, coalesce(group_id, 0), list, record_id);
comment on index missing_exception_once is 'One exception for a machine, a client, a group, or all, and a record.';
create index missing_exception_by_end on missing_exception (until) where not ended;
comment on index missing_exception_by_end is 'The exceptions that end next.';

-- The machines of an exception for a group.
create table missing_exception_machine (
  exception_id bigint not null references missing_exception (id) on delete cascade,
  client_id bigint not null,
  machine_id bigint not null,
  -- The machine of the key for which it holds.
  identity int not null,
  primary key (exception_id, machine_id)
);
create index missing_exception_machine_by_machine on missing_exception_machine (client_id, machine_id);
comment on index missing_exception_machine_by_machine is 'The exceptions of a machine, for its page and its deletion.';

-- The machines of each exception, one by one for a group. A machine of null: all of the client; a client of null: all machines.
create view exception_target as
select id as exception_id, list, record_id, until, ended, client_id, machine_id, identity from missing_exception where group_id is null
union all
select exception_id, list, record_id, until, ended, member.client_id, member.machine_id, member.identity
from missing_exception_machine as member join missing_exception on missing_exception.id = exception_id;
