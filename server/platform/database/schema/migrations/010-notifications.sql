-- Commits notify the processes of the service (server/platform/database/notifications.ts). The trigger's argument is the channel.
create function notify_service() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], '');
  return null;
end
$$;

-- For each row where a statement may find none: a notification that nothing has changed would ask for the same statement again.
create trigger settings_notify after insert or update or delete on settings for each row execute function notify_service('settings');
create trigger source_setting_notify after insert or update or delete on source_setting for each row execute function notify_service('sources');
create trigger held_withdrawal_notify after insert or update or delete on held_withdrawal for each row execute function notify_service('sources');
create trigger held_content_notify after insert or update or delete on held_content for each row execute function notify_service('sources');
-- A run's progress is written twice a second, and concerns only who watches it.
create trigger sync_run_notify after insert or delete or update of state, cancelled_by on sync_run for each row execute function notify_service('runs');
create trigger sync_run_notify_progress after update of done, stage_data on sync_run for each row execute function notify_service('run_progress');
create trigger list_revision_notify after insert or update on list_revision for each row execute function notify_service('lists');
create trigger mail_outbox_notify after insert on mail_outbox for each row execute function notify_service('mails');
create trigger download_job_notify after insert or update of state, cancel_asked on download_job for each row execute function notify_service('downloads');

-- For each statement where it writes thousands of rows.
create trigger machine_standing_notify after insert or delete or update of counted_hash on machine_standing for each statement execute function notify_service('machines');
create trigger part_to_count_notify after insert or update on part_to_count for each statement execute function notify_service('machines');
create trigger missing_exception_notify after insert or update or delete on missing_exception for each statement execute function notify_service('machines');
