-- Pictures of people, where they are signed in, and the API keys of programs. Times are epoch milliseconds.

-- A picture's file name is random: who may see it knows it. A new picture has a new name, so that the old one may be kept for ever.
create table avatar (
  user_id bigint primary key references users (id) on delete cascade,
  file_name text collate "C" not null unique,
  image bytea not null
);

alter table sessions
  add column id bigint generated always as identity,
  add column user_agent text not null default '';

create table api_key (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  name_folded text collate "C" not null,
  -- SHA-256 of the key, in hex; the key itself is never kept.
  key_hash text collate "C" not null unique,
  -- How the key begins.
  prefix text not null,
  scopes jsonb not null,
  created_time bigint not null,
  -- Null: never.
  expires_time bigint,
  last_used_time bigint,
  unique (user_id, name_folded)
);
