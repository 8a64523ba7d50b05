-- What people prefer, and the searches they have saved. Times are epoch milliseconds.

create table user_preference (
  user_id bigint not null references users (id) on delete cascade,
  -- The key of a list.
  module text not null,
  value jsonb not null,
  primary key (user_id, module)
);

create table saved_view (
  id bigint generated always as identity primary key,
  list text not null,
  owner_id bigint not null references users (id) on delete cascade,
  name text not null,
  name_folded text collate "C" not null,
  shared boolean not null,
  search jsonb not null,
  updated_time bigint not null,
  unique (owner_id, list, name_folded)
);
create index saved_view_by_list on saved_view (list, name_folded);

-- At most one view of a list opens by itself for a person.
create table default_view (
  user_id bigint not null references users (id) on delete cascade,
  list text not null,
  view_id bigint not null references saved_view (id) on delete cascade,
  primary key (user_id, list)
);
create index default_view_by_view on default_view (view_id);
