-- When each source is synced next. Kept here, so that of several processes one queues a run that is due, and what came due while none ran
-- is made up for once.
create table source_schedule (
  source text primary key,
  -- Five fields, in UTC.
  cron text not null,
  due_time bigint not null
);
