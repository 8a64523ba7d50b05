-- In a transaction of its own, since rows that this one has replaced would stay.
cluster stored_record using stored_record_pkey;

create index stored_record_by_identifier on stored_record ((coalesce(identifier_folded, lower(identifier collate "C"))), list);
create index stored_record_by_alias on stored_record ((coalesce(alias_folded, lower(alias collate "C"))))
  where coalesce(alias_folded, lower(alias collate "C")) is not null;
create index stored_record_by_cve on stored_record using gin (string_to_array(coalesce(cve_folded, lower(cve collate "C")), E'\n')) with (fastupdate = off);
create index stored_record_by_names on stored_record using gin (hash_names(string_to_array(names, E'\n'))) with (gin_pending_list_limit = 4096);

do $$
begin
  if exists (select from stored_record) then
    analyze stored_record;
  end if;
end
$$;
