-- What each record is named and mentions, a line each, folded: identifiers, packages, titles. Its own words alone, also where the
-- record stands for an update of several. Null until the index of the list is built again, which the new mapping causes.
alter table record add column names text collate "C";
create index record_by_names on record using gin (string_to_array(names, E'\n')) with (gin_pending_list_limit = 256);

-- A second identifier that names the record: the update id beside the KB, the patch beside its bulletin.
alter table record add column alias text;
alter table record add column alias_folded text collate "C";
create index record_by_alias_folded on record (alias_folded, id) where alias_folded is not null;
