-- A record that is listed again has the time of its return, which only the change log had.
update stored_record as stored set updated_time = greatest(stored.updated_time, returned.time)
from (
  select list, row_id, max(run.started_time) as time from sync_change join sync_run as run on run.id = run_id
  where kind = 'returned' group by list, row_id) as returned
where stored.list = returned.list and stored.id = returned.row_id and stored.withdrawn_time is null;

drop index sync_change_returned;
