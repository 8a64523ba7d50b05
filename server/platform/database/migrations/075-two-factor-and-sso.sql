-- Second factors at sign-in, and signing in with an identity provider. Times are epoch milliseconds.

create table two_factor (
  user_id bigint primary key references users (id) on delete cascade,
  -- Of the authenticator app, sealed with the service's key.
  sealed_secret text not null,
  -- Null: shown to the user, who has not yet proved that the app has it; nothing is asked for.
  enabled_time bigint,
  -- The 30 seconds of the last code that was taken, counted since 1970; it and all before are good no more.
  last_step bigint not null
);

create table two_factor_backup_code (
  user_id bigint not null references two_factor (user_id) on delete cascade,
  -- SHA-256 of the user's id and the code, in hex; a code that was used is gone.
  code_hash text collate "C" not null,
  primary key (user_id, code_hash)
);

-- Who a user is to an identity provider.
create table sso_identity (
  issuer text collate "C" not null,
  subject text collate "C" not null,
  user_id bigint not null references users (id) on delete cascade,
  created_time bigint not null,
  primary key (issuer, subject)
);
create index sso_identity_by_user on sso_identity (user_id);

-- What a browser comes back with from an identity provider, to be exchanged for a session once.
create table sso_ticket (
  -- SHA-256 of the ticket, in hex; the ticket itself is never kept.
  ticket_hash text collate "C" primary key,
  -- SHA-256 of the cookie of the browser that began; no other may exchange it.
  browser_hash text collate "C" not null,
  user_id bigint not null references users (id) on delete cascade,
  created_time bigint not null,
  expires_time bigint not null
);
create index sso_ticket_by_expiry on sso_ticket (expires_time);
create index sso_ticket_by_user on sso_ticket (user_id);
