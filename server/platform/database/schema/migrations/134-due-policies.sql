-- The days until missing records are due on the machines of a group, by band. Null: the default.
alter table machine_group add column due_policy jsonb;
