-- Mails on their way out, and links to reset forgotten passwords. Times are epoch milliseconds.

create table mail_outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Emptied once the mail has been sent or given up: it may hold a secret link.
  body text not null,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts integer not null default 0,
  last_error text not null default '',
  queued_time bigint not null,
  -- Not tried before. Whoever takes the mail moves it on, so that nobody else does.
  next_time bigint not null,
  ended_time bigint
);
create index mail_outbox_waiting on mail_outbox (next_time) where state = 'queued';

create table password_reset (
  -- SHA-256 of the link's id, in hex; the id itself is never kept.
  id_hash text collate "C" primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_time bigint not null,
  expires_time bigint not null
);
create index password_reset_by_user on password_reset (user_id);
