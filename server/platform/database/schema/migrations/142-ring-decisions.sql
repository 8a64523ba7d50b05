-- Decisions that the clients of a ring get records as they are now, whatever the checkpoint has, or do not get them.
create table ring_decision (
  id bigint generated always as identity primary key,
  ring_id bigint not null references ring (id) on delete cascade,
  list text collate "C" not null,
  -- What names the records, such as a KB or an advisory, as it was typed and folded.
  name text not null,
  name_folded text collate "C" not null,
  decision text not null check (decision in ('approved', 'declined')),
  reason text not null,
  decided_time bigint not null,
  decided_by text not null,
  unique (ring_id, list, name_folded)
);

-- Records about which something is or was decided for a ring.
create table ring_record (
  ring_id bigint not null references ring (id) on delete cascade,
  record_id bigint not null references stored_record (id) on delete cascade,
  list text collate "C" not null,
  -- Null: what was decided is taken back. Clients that have heard of it are to hear that too.
  decision_id bigint references ring_decision (id),
  decision text,
  -- The ring's decision_revision at which this was decided or taken back.
  revision bigint not null,
  primary key (ring_id, record_id)
);
create index ring_record_by_revision on ring_record (ring_id, list, revision);
comment on index ring_record_by_revision is 'The decisions of which a client has not heard.';
create index ring_record_by_decision on ring_record (decision_id) where decision_id is not null;
comment on index ring_record_by_decision is 'The records of a decision, to take it back.';
create index ring_record_by_record on ring_record (record_id);
comment on index ring_record_by_record is 'What is decided about a record that is deleted.';

alter table ring
  -- Whether known exploited records pass as approved ones do.
  add column passes_exploited boolean not null default false,
  -- Raised by each change of decisions and of passes_exploited. 0: nothing was ever decided.
  add column decision_revision bigint not null default 0,
  -- The decision_revision at which passes_exploited has changed.
  add column exploited_revision bigint not null default 0;
