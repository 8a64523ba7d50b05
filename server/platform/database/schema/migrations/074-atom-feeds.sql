-- Addresses of Atom feeds, each of a saved view or of a vendor. Times are epoch milliseconds.
create table atom_feed (
  id bigint generated always as identity primary key,
  -- The SHA-256 of the token in the address.
  token_hash text collate "C" not null unique,
  user_id bigint not null references users (id) on delete cascade,
  view_id bigint references saved_view (id) on delete cascade,
  -- The key of the source whose lists the feed shows.
  source text,
  created_time bigint not null,
  -- Precise to the minute.
  last_read_time bigint,
  check ((view_id is null) <> (source is null))
);
create index atom_feed_by_user on atom_feed (user_id);
create index atom_feed_by_view on atom_feed (view_id) where view_id is not null;
comment on index atom_feed_by_user is 'The feeds of a user, also when the user is removed.';
comment on index atom_feed_by_view is 'The feeds of a view, when the view is removed.';

-- A record that was listed again keeps its own times, so that only the change log has the time of its return.
create index sync_change_returned on sync_change (list, row_id) where kind = 'returned';
comment on index sync_change_returned is 'When records were listed again: Atom feeds.';
