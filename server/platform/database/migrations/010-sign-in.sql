-- Who may sign in, who is signed in, and how often somebody tried. Times are epoch milliseconds.

create table users (
  id bigint generated always as identity primary key,
  name text not null,
  name_folded text collate "C" not null unique,
  -- Empty: none is known.
  email text not null,
  email_folded text collate "C" not null,
  user_type text not null check (user_type in ('Admin', 'Standard')),
  -- IANA name; null: the browser's own.
  timezone text,
  -- argon2id in PHC string format.
  password_hash text not null,
  must_change_password boolean not null,
  created_time bigint not null,
  last_sign_in_time bigint,
  -- One signs in with either, so that a name never reads like somebody else's address.
  check (position('@' in name) = 0)
);
create unique index users_by_email on users (email_folded) where email_folded <> '';

create table sessions (
  -- SHA-256 of the token, in hex; the token itself is never kept.
  token_hash text collate "C" primary key,
  user_id bigint not null references users (id) on delete cascade,
  address text not null,
  created_time bigint not null,
  last_used_time bigint not null,
  -- When it ends if it is not used again; never later than ends_time.
  expires_time bigint not null,
  ends_time bigint not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_time);

-- The tries of the last minutes that were not followed by a good one, for each account from each address.
create table sign_in_attempts (
  account text collate "C" not null,
  address text collate "C" not null,
  tried_times bigint[] not null,
  -- From then on the row says nothing any more.
  expires_time bigint not null,
  primary key (account, address)
);
create index sign_in_attempts_by_expiry on sign_in_attempts (expires_time);

-- What administrators may set, by name; a setting that was never changed has no row.
create table settings (
  name text primary key,
  value jsonb not null
);
