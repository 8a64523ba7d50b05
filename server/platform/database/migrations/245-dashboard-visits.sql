-- When each person looked at the dashboard: it shows what is new since an earlier day. Times are epoch milliseconds.
create table dashboard_visit (
  user_id bigint primary key references users (id) on delete cascade,
  last_time bigint not null,
  -- The last visit on an earlier day than last_time; null until there was one.
  before_time bigint
);

-- When this repository first read that CISA lists the CVE; null for what it knew before this version. CISA's own day comes earlier.
alter table vulnerability add column kev_known_time bigint;

-- When a record came into the index: a field of the list of all patches.
create index record_by_created_time on record (created_time, id);
