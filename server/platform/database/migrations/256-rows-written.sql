-- Rows that were written since a table was vacuumed last: the embedded database has no autovacuum, and vacuums what has changed enough.
create table rows_written (
  table_name text primary key,
  rows bigint not null
);
