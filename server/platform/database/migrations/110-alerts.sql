-- Alerts of saved views, the daily summary of syncs, and mails that are HTML beside their text. Times are epoch milliseconds.

-- Null: the mail is plain text alone. Emptied together with the body.
alter table mail_outbox add column html text;

create table view_alert (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  view_id bigint not null references saved_view (id) on delete cascade,
  mode text not null check (mode in ('digest', 'at_once')),
  hour smallint not null check (hour between 0 and 23),
  -- Of the browser in which it was set: it counts while neither the person nor the service has one.
  time_zone text not null,
  own_address boolean not null,
  further_addresses jsonb not null,
  -- Records of the view's list up to this number have been looked at: they are numbered in the order in which they are seen.
  seen_id bigint not null,
  -- The revision of the list at the last look.
  seen_revision bigint not null,
  looked_time bigint not null,
  -- Raised by each look and by each change: of several processes that look at the same time, one can write.
  version bigint not null default 0,
  problem text not null default '',
  unique (user_id, view_id)
);
create index view_alert_by_view on view_alert (view_id);

-- Mails of which it is not known yet that they were sent. What one held that was given up is told with the next.
create table alert_mail (
  id bigint generated always as identity primary key,
  alert_id bigint not null references view_alert (id) on delete cascade,
  recipient text not null,
  -- Of the records' numbers: [[above, up to], ...]
  spans jsonb not null,
  mail_id bigint references mail_outbox (id) on delete set null,
  failed boolean not null default false
);
create index alert_mail_by_alert on alert_mail (alert_id);
create index alert_mail_by_mail on alert_mail (mail_id);

-- The administrators who want the daily summary.
create table sync_summary (
  user_id bigint primary key references users (id) on delete cascade,
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null,
  -- When it was last sent, or switched on.
  sent_time bigint not null
);
