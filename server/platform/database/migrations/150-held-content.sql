-- Records of which the vendor now says much less than is stored. They keep what is stored until an administrator decides.

-- What is asked: one question for each list of a part.
create table held_content (
  source text not null,
  part text not null,
  list text not null,
  part_label text not null,
  records integer not null,
  -- Records that were read and had been listed before.
  compared integer not null,
  losses jsonb not null,
  examples jsonb not null,
  -- The run that met them first. It may have been removed since.
  run_id bigint not null,
  held_time bigint not null,
  primary key (source, part, list)
);

-- The records that it is about, and those that were decided: a decision is about exactly this content of the vendor's.
create table held_content_record (
  source text not null,
  part text not null,
  list text not null,
  row_id bigint not null,
  content_hash text not null,
  decision text,
  decided_by text,
  primary key (source, part, list, row_id)
);

-- With which version of its reader the part was last written to its end, though something of it may have been held. Null: with that of feed_version.
alter table feed_part add column written_version integer;
