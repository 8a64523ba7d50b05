-- How administrators have set each source, and what waits for their yes or no.

-- A source without a row is synced as its feed says.
create table source_setting (
  source text primary key,
  enabled boolean not null,
  schedule text,
  mirror text,
  left_out jsonb not null,
  added jsonb not null,
  shrinkage_share smallint not null,
  changed_time bigint not null,
  changed_by text not null
);

-- Rows of a part that its vendor lists no more, too many of them to be believed.
create table held_withdrawal (
  source text not null,
  part text not null,
  list text not null,
  part_label text not null,
  known integer not null,
  missing integer not null,
  examples jsonb not null,
  -- Of the ids of the missing rows: a decision is about these and no others.
  missing_hash text not null,
  -- The run that met them first. It may have been removed since.
  run_id bigint not null,
  held_time bigint not null,
  decision text,
  decided_by text,
  primary key (source, part, list)
);
