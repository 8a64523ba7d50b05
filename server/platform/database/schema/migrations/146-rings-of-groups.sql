-- The ring of the machines that report with keys of the group. Null: nothing is held back on them.
alter table machine_group
  add column ring_id bigint references ring (id),
  add check (ring_id is null or criteria is null);
