-- Runs of the sources' syncs, what each changed and kept out, and what was read last.

create table sync_run (
  id bigint generated always as identity primary key,
  source text not null,
  state text not null,
  started_by text not null,
  queued_time bigint not null,
  started_time bigint,
  ended_time bigint,
  -- While it runs, its process says here that it lives.
  heartbeat_time bigint not null,
  cancelled_by text,
  stage text not null default '',
  done bigint not null default 0,
  total bigint not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  withdrawn integer not null default 0,
  unchanged integer not null default 0,
  rejected integer not null default 0,
  message text not null default '',
  warnings jsonb not null default '[]'
);

-- One run of a source at a time, whoever asks.
create unique index sync_run_active on sync_run (source) where state in ('queued', 'running');
create index sync_run_by_source on sync_run (source, id);
create index sync_run_by_success on sync_run (source, ended_time) where state in ('succeeded', 'succeeded_with_warnings');

create table sync_rejection (
  id bigint generated always as identity primary key,
  run_id bigint not null references sync_run on delete cascade,
  record text not null,
  reason text not null,
  url text not null
);
create index sync_rejection_by_run on sync_rejection (run_id, id);

create table sync_change (
  id bigint generated always as identity primary key,
  run_id bigint not null references sync_run on delete cascade,
  list text not null,
  row_id bigint not null,
  identity text not null,
  kind text not null,
  fields jsonb not null
);
create index sync_change_by_run on sync_change (run_id, id);

-- A part as it was read last: with which version of its reader, and whether its vendor was read whole then.
create table feed_part (
  source text not null,
  part text not null,
  feed_version integer not null,
  read_time bigint not null,
  read_whole_time bigint,
  primary key (source, part)
);

create table feed_document (
  source text not null,
  part text not null,
  url text not null,
  sha256 text not null,
  primary key (source, part, url),
  foreign key (source, part) references feed_part on delete cascade
);
