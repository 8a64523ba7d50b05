-- Folds again what catalogue/definition/fold.ts folded without the i of Turkish, sharp s, final sigma, long s and ligatures. See docs/decisions/002.
create or replace function pg_temp.folded_again(text) returns text language sql immutable as $$
  select normalize(replace(replace(replace(replace(replace(replace(replace(replace(
    translate(regexp_replace($1, '([iıﬁﬃ])\u0307+', '\1', 'g'), 'ıςſ', 'iσs'),
    'ß', 'ss'), 'ﬀ', 'ff'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), 'ﬃ', 'ffi'), 'ﬄ', 'ffl'), 'ﬅ', 'st'), 'ﬆ', 'st'), nfc)
$$;
alter table audit_entry disable trigger audit_entry_stays;
do $$
declare
  place record;
  folded text;
  row_place tid;
begin
  for place in
    select columns.table_name, columns.column_name as name, starts.column_name as start
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    left join information_schema.columns as starts on starts.table_schema = columns.table_schema and starts.table_name = columns.table_name
      and starts.column_name = regexp_replace(columns.column_name, '_folded$', '_start')
    where tables.table_schema = 'public' and table_type = 'BASE TABLE' and columns.data_type = 'text'
      and (columns.column_name like '%\_folded' or columns.column_name in ('keyword', 'names', 'update_key'))
  loop
    for row_place, folded in execute format(
      'select ctid, pg_temp.folded_again(%1$I) from %2$I where octet_length(%1$I) <> char_length(%1$I) and %1$I ~ %3$L',
      place.name, place.table_name, '[iı]\u0307|[ıßςſﬀ-ﬆ]')
    loop
      begin
        execute format('update %I set %I = $1%s where ctid = $2', place.table_name, place.name,
          case when place.start <> place.name then format(', %I = left($1, 100)', place.start) else '' end) using folded, row_place;
      exception when unique_violation then
        -- Two names that are alike now: both stay, and the second one is found by what it was folded to.
        null;
      end;
    end loop;
  end loop;
end $$;
alter table audit_entry enable trigger audit_entry_stays;
drop function pg_temp.folded_again(text);
