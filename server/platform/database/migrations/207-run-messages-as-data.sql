-- What a run does and how it ended, as a code with parameters. Runs of earlier versions have words in stage and message instead.
alter table sync_run add column stage_data jsonb;
alter table sync_run add column message_data jsonb;
