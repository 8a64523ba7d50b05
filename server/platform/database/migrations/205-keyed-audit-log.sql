-- Entries are chained by HMAC from here on; this names the key. Entries of earlier versions have none: they are chained by a plain hash.
alter table audit_entry add column key_id text;
