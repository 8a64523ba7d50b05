-- Alerts may also tell when a record of their view becomes known exploited, or when its EPSS rises over a threshold.

alter table view_alert
  add column exploited boolean not null default false,
  -- From 0 to 1; null: EPSS is not watched.
  add column epss_above double precision,
  -- What `alert_risk_record` was taken of: view, threshold, model of EPSS. Of another basis it is taken again, and nothing is told.
  add column exploited_basis text,
  add column epss_basis text,
  -- The revision of risk at the last look.
  add column seen_risk_revision bigint not null default 0;

-- The records of the view that were known exploited, or above the threshold, at the last look. One that joins them is told.
create table alert_risk_record (
  alert_id bigint not null references view_alert (id) on delete cascade,
  event text not null check (event in ('exploited', 'epss')),
  record_id bigint not null,
  primary key (alert_id, event, record_id)
);

-- Of mails whose outcome is not known yet: the records whose risk they told, by event: {"exploited": [1, 2]}.
alter table alert_mail add column risk jsonb not null default '{}';
