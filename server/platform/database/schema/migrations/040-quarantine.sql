-- Changes of a publication that look like a damaged one: an administrator accepts or rejects them. One entry for each list of a part and
-- reason waits; decided ones stay while the publication is the same.
create table quarantine (
  id bigint generated always as identity primary key,
  source text not null,
  part text not null,
  list text not null,
  reason text not null check (reason in ('records_missing', 'content_lost')),
  part_label text not null,
  -- Records that would be withdrawn or changed.
  records integer not null,
  -- Of how many: of the part, or of those that the vendor lists and that were listed before.
  known integer not null,
  losses jsonb not null,
  examples jsonb not null,
  -- What a decision is about, exactly: for lost content the hash of the new content by row id; for missing records 'all' with the hash of
  -- their ids.
  fingerprints jsonb not null,
  -- The run that met them first. It may have been removed since.
  run_id bigint not null,
  quarantined_time bigint not null,
  decision text check (decision in ('accepted', 'rejected')),
  decided_by text,
  check ((decision is null) = (decided_by is null))
);
create unique index quarantine_pending on quarantine (source, part, list, reason) where decision is null;
create index quarantine_by_part on quarantine (source, part);

insert into quarantine (source, part, list, reason, part_label, records, known, losses, examples, fingerprints, run_id, quarantined_time, decision, decided_by)
select source, part, list, 'records_missing', part_label, missing, known, '[]',
  (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'losses', '[]'::jsonb) order by number), '[]')
   from jsonb_array_elements(examples) with ordinality as example(name, number)),
  jsonb_build_object('all', missing_hash), run_id, held_time,
  case decision when 'withdraw' then 'accepted' when 'keep' then 'rejected' end,
  case when decision is not null then coalesce(decided_by, '') end
from held_withdrawal;

insert into quarantine (source, part, list, reason, part_label, records, known, losses, examples, fingerprints, run_id, quarantined_time)
select source, part, list, 'content_lost', part_label, records, compared, losses, examples,
  fingerprints, run_id, held_time
from held_content
join (
  select source, part, list, jsonb_object_agg(row_id, content_hash) as fingerprints
  from held_content_record where decision is null group by source, part, list
) as undecided using (source, part, list);

-- What was shown of decided records is known no more.
insert into quarantine (source, part, list, reason, part_label, records, known, losses, examples, fingerprints, run_id, quarantined_time, decision, decided_by)
select source, part, list, 'content_lost', part, count(*), count(*), '[]', '[]', jsonb_object_agg(row_id, content_hash), 0, 0,
  case decision when 'accept' then 'accepted' else 'rejected' end, coalesce(decided_by, '')
from held_content_record where decision is not null group by source, part, list, decision, coalesce(decided_by, '');

drop table held_withdrawal, held_content, held_content_record;

create trigger quarantine_notify after insert or update or delete on quarantine for each row execute function notify_service('sources');
