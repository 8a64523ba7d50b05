-- Downloads that were asked for and not fetched yet: a browser fetches a file without the session's token.
create table export_ticket (
  -- SHA-256 of the ticket, in hex; the ticket itself is never kept.
  ticket_hash text collate "C" primary key,
  user_id bigint not null references users (id) on delete cascade,
  request jsonb not null,
  expires_time bigint not null
);
