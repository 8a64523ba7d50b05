-- Bytes as served: a document that comes back much smaller is not believed in what it no longer lists. Null: read by an earlier version.
alter table feed_document add column size bigint;
