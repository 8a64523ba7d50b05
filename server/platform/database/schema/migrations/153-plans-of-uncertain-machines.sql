-- Machines of a plan without a task that may miss records of the choice, or need a subscription for them.
alter table machine_plan add column may_miss integer not null default 0;
