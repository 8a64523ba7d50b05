-- What was remarked and kept out when a part was last read, for runs that find it unchanged. Null: read by an earlier version; it is read once more.
alter table feed_part add column remarks jsonb;
