-- A named moment of the catalogue: the revision that each list of a vendor had.
create table checkpoint (
  id bigint generated always as identity primary key,
  name text not null,
  name_folded text collate "C" not null unique,
  created_time bigint not null,
  created_by text not null,
  -- Revisions by list. A list that is absent had no record.
  revisions jsonb not null
);

-- Records as clients got them at a checkpoint, of which the list has another version now. The version was that of the list's revisions from
-- from_revision up to the one before until_revision.
create table kept_record (
  list text collate "C" not null,
  record_id bigint not null,
  from_revision bigint not null,
  until_revision bigint not null,
  is_withdrawn boolean not null,
  -- JSON as it was sent.
  content text not null,
  primary key (list, record_id, from_revision)
);

-- Licensed clients that get the catalogue as it was at a checkpoint.
create table ring (
  id bigint generated always as identity primary key,
  name text not null,
  name_folded text collate "C" not null unique,
  checkpoint_id bigint not null references checkpoint (id),
  -- When and by whom it was moved to its checkpoint.
  promoted_time bigint not null,
  promoted_by text not null
);

-- Null: the client gets the catalogue as it is.
alter table licensed_client add column ring_id bigint references ring (id);
create index licensed_client_by_ring on licensed_client (ring_id) where ring_id is not null;
