-- What all lists share. The lists' own tables are drafted from their definitions: scripts/new-migration.ts.

create extension if not exists pg_trgm;

-- Raised with every change of a list's rows: what was counted at a revision holds while the revision is the same.
create table list_revision (
  list text primary key,
  revision bigint not null,
  -- Rows that are not withdrawn, kept up to date by the entry writer.
  listed bigint not null
);

-- What a record has beyond its row, read one record at a time.
create table entry_detail (
  list text not null,
  row_id bigint not null,
  detail jsonb not null,
  primary key (list, row_id)
);
