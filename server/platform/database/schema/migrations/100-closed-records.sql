-- On how many machines a step closes a missing record, as of the last tally. A record that is a step itself closes itself.
create table missing_closer (
  missing_id integer not null references missing_record (id) on delete cascade,
  step_id integer not null references missing_record (id) on delete cascade,
  machines integer not null,
  primary key (missing_id, step_id)
);
create index missing_closer_by_step on missing_closer (step_id);
comment on index missing_closer_by_step is 'The records that an update closes, ranked on the dashboard; and the deletion of records.';

-- The tally reads all machines in their order.
drop index missing_record_by_machines;

-- The panel of a machine judges it anew and gives the reason itself.
alter table part_missing drop column reason;
