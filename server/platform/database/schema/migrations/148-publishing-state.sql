-- How the last publication of the catalogue as a tree of files went. One row once it was tried.
create table publishing_state (
  one boolean primary key default true check (one),
  tried_time bigint not null,
  -- When the last one ended that readers got all of. Null: none did.
  published_time bigint,
  -- Why readers did not get all of the last one, and what to do. Null: they did.
  failure text
);
