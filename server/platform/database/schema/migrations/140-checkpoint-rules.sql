-- Rules that make checkpoints by themselves: each week on a weekday, or on one of these weekdays of each month.
create table checkpoint_rule (
  id bigint generated always as identity primary key,
  name text not null,
  name_folded text collate "C" not null unique,
  -- Null: each week.
  week smallint,
  weekday text not null,
  hour smallint not null,
  time_zone text not null,
  -- How many of its checkpoints are kept.
  keep smallint not null,
  -- Moments up to this time are done: their checkpoint was made, or they were before the rule or before its present schedule.
  done_time bigint not null,
  -- Whether a checkpoint is due and cannot be made, because there are too many.
  is_blocked boolean not null default false
);

-- The rule that made the checkpoint. Null: it was made by hand, or the rule was removed.
alter table checkpoint add column rule_id bigint references checkpoint_rule (id) on delete set null;
create index checkpoint_by_rule on checkpoint (rule_id, id) where rule_id is not null;

-- The rule that a ring follows, and how old its checkpoints must be. Null: the ring is moved by hand.
-- newest_checkpoint is the newest one that a following ring has left: the rule does not move it there again.
alter table ring
  add column rule_id bigint references checkpoint_rule (id) on delete set null,
  add column after_days smallint not null default 0,
  add column newest_checkpoint bigint not null default 0;
create index ring_by_rule on ring (rule_id) where rule_id is not null;
