-- Events of the catalogue, for programs that read them and for channels. Times are epoch milliseconds.
create table event (
  id bigint generated always as identity primary key,
  -- The public id, which stays the same over all deliveries.
  key uuid not null default gen_random_uuid() unique,
  -- The order in which programs read events: that of their commits. Null until `publishEvents` numbers the event.
  number bigint unique,
  type text not null,
  created_time bigint not null,
  -- The only person who may read it; null: everybody who may read events of the type.
  user_id bigint references users (id) on delete cascade,
  -- The channels that it is sent to; null: those that subscribe to its type.
  channels bigint[],
  title text not null,
  -- The page of the console about it; null without one.
  path text,
  subject jsonb not null,
  -- At most 100 of the things it is about: [{"name": "", "about": "", "path": ""}].
  items jsonb not null,
  total_count bigint not null
);
create index event_by_time on event (created_time);
create index event_to_number on event (id) where number is null;
comment on index event_by_time is 'Events that are older than the retention time.';
comment on index event_to_number is 'Events that wait for their number.';
create trigger event_notify after insert on event for each statement execute function notify_service('events');

-- One row, whose lock orders the numbering.
create table event_order (
  one boolean primary key default true check (one),
  last_number bigint not null,
  -- Events up to this number were removed.
  removed_number bigint not null
);
insert into event_order (last_number, removed_number) values (0, 0);

-- Whether a source was up to date at the last check, so that each change is one event.
create table source_watch (
  source text primary key,
  freshness text not null
);

-- Licences that had ended before there were events cause none.
insert into licence_warning (client_id, license_expiry, days, warned_time)
  select id, license_expiry, 0, license_expiry from licensed_client where license_expiry <= extract(epoch from now()) * 1000
  on conflict do nothing;
