-- Reports of a group and a period that are sent by email at the hours of a schedule.
create table report_mail (
  id bigint generated always as identity primary key,
  -- Null: all machines.
  group_id bigint references machine_group (id) on delete cascade,
  -- Of the period.
  days int not null,
  -- The day of the week on which it is sent, or the first of the month.
  day text not null,
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null,
  addresses jsonb not null,
  -- Moments of the schedule up to this time are done.
  done_time bigint not null,
  sent_time bigint,
  -- The emails that were queued at the last moment.
  mails bigint[] not null default '{}',
  -- Why the report of a moment could not be read.
  problem text not null default '',
  -- Raised by each change and each moment: of several processes, one queues the emails.
  version bigint not null default 0
);
create index report_mail_by_group on report_mail (group_id);
comment on index report_mail_by_group is 'The schedules that the removal of a group ends.';
