-- What the contents of a part asked to be remembered: of the part, whatever the addresses of its documents. Null: nothing yet.
alter table feed_part add column remembered jsonb;
