-- What people say about a record that machines miss, or about what one machine misses.
create table record_note (
  id bigint generated always as identity primary key,
  list text not null,
  record_id bigint not null,
  -- Null: about the record on all machines.
  client_id bigint,
  machine_id bigint,
  text text not null,
  -- Null: the user was removed.
  author_id bigint references users (id) on delete set null,
  -- The name of the author when it was written.
  author_name text not null,
  created_time bigint not null
);
create index record_note_by_record on record_note (list, record_id);
create index record_note_by_machine on record_note (client_id, machine_id) where machine_id is not null;
comment on index record_note_by_machine is 'The notes that the removal of a machine removes.';

-- Who deals with a record on all machines, or with what one machine misses: a user, or the address of a person without an account.
create table record_assignment (
  id bigint generated always as identity primary key,
  list text not null,
  record_id bigint not null,
  -- Null: on all machines.
  client_id bigint,
  machine_id bigint,
  owner_id bigint references users (id) on delete cascade,
  owner_address text,
  assigned_by text not null,
  assigned_time bigint not null,
  check ((owner_id is null) <> (owner_address is null))
);
create unique index record_assignment_once on record_assignment (list, record_id, coalesce(machine_id, 0));
comment on index record_assignment_once is 'One assignee of a record, and one of what a machine misses.';
create index record_assignment_by_time on record_assignment (assigned_time desc, id desc);
create index record_assignment_by_owner on record_assignment (owner_id) where owner_id is not null;
create index record_assignment_by_address on record_assignment (lower(owner_address)) where owner_address is not null;
create index record_assignment_by_machine on record_assignment (client_id, machine_id) where machine_id is not null;
comment on index record_assignment_by_machine is 'The assignments that the removal of a machine ends.';
