-- Channels: where events are sent beside mail. Addresses and secrets are sealed with the service's key. Times are epoch milliseconds.
create table channel (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('webhook', 'teams', 'slack', 'ntfy', 'gotify')),
  name text not null,
  name_folded text collate "C" not null unique,
  -- Who created it, and is told when it is switched off.
  owner_id bigint references users (id) on delete set null,
  -- Without the parts that are secret.
  shown_address text not null,
  sealed_address text not null,
  -- Keyed, so that one address has one channel: at most one delivery is in flight for it.
  address_hash text collate "C" not null unique,
  -- The secret that signs, or the token of the receiver; null without one.
  sealed_secret text,
  -- A rotated secret signs too until its end.
  sealed_former_secret text,
  former_until bigint,
  -- The types of events that it receives beside those of alerts.
  types jsonb not null,
  enabled boolean not null default true,
  -- Why it was switched off, or why the last delivery failed; empty without a problem.
  problem text not null default '',
  -- A process delivers to it until then.
  busy_until bigint not null default 0,
  -- The first failure after the last success; null: none.
  failing_since bigint,
  delivered_time bigint,
  created_time bigint not null
);

-- One outbox for emails and deliveries to channels. An email has no channel.
alter table mail_outbox rename to outbox;
alter index mail_outbox_waiting rename to outbox_waiting;
alter table outbox add column channel_id bigint references channel (id) on delete cascade,
  add column event_id bigint references event (id) on delete cascade;
create index outbox_by_channel on outbox (channel_id, id) where channel_id is not null;
create index outbox_by_event on outbox (event_id) where event_id is not null;
comment on index outbox_by_channel is 'The deliveries of a channel.';
comment on index outbox_by_event is 'The deliveries of an event, when the event is removed.';
drop trigger mail_outbox_notify on outbox;
create trigger outbox_notify after insert on outbox for each row execute function notify_service('outbox');
create trigger outbox_requeue_notify after update of state on outbox for each row
  when (new.state = 'queued' and old.state <> 'queued') execute function notify_service('outbox');

-- The channels to which an alert sends beside its addresses.
alter table view_alert add column channels bigint[] not null default '{}';
