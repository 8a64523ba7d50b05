-- Who did what. Entries are chained by their hashes and kept from change; times are epoch milliseconds.

create table audit_entry (
  -- Counted by audit_chain, without gaps.
  id bigint primary key,
  time bigint not null,
  -- Refers to nobody: who was removed has still done what they did.
  user_id bigint,
  user_name text,
  key_name text,
  client_id bigint,
  client_name text,
  -- Folded, of those three names.
  who_folded text collate "C" not null,
  action text collate "C" not null,
  subject text not null,
  subject_folded text collate "C" not null,
  -- JSON as it was written: the hash is of these characters. Null where there is none.
  before_json text,
  after_json text,
  parameters_json text,
  address text not null,
  request_id text collate "C" not null,
  outcome text not null check (outcome in ('done', 'refused', 'failed')),
  code text not null,
  -- SHA-256 in hex, of the entry before and of this one.
  previous_hash text collate "C" not null,
  hash text collate "C" not null
);
create index audit_entry_by_time on audit_entry (time);
create index audit_entry_by_action on audit_entry (action, id);
create index audit_entry_by_request on audit_entry (request_id);

-- Where the chain ends, and where it begins since older entries were removed. Who writes holds the row's lock.
create table audit_chain (
  one boolean primary key default true check (one),
  last_id bigint not null,
  last_hash text not null,
  removed_id bigint not null,
  removed_hash text not null
);
insert into audit_chain (last_id, last_hash, removed_id, removed_hash) values (0, '', 0, '');

create or replace function audit_entry_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('patch.audit_removal', true) = 'on' then
    return old;
  end if;
  -- A dump that is restored empties the tables which the migrations have just made.
  if tg_op = 'TRUNCATE' and not exists (select from audit_entry) then
    return null;
  end if;
  raise exception 'Entries of the audit log are neither changed nor removed';
end
$$;
create trigger audit_entry_stays before update or delete on audit_entry for each row execute function audit_entry_stays();
create trigger audit_entry_is_not_emptied before truncate on audit_entry for each statement execute function audit_entry_stays();

-- The one way out: the oldest entries, all that are older than a time which is a day ago or more. Answers how many went, and the last of them.
create or replace function audit_remove_before(before bigint) returns table (removed bigint, last_removed bigint) language plpgsql as $$
declare
  chain audit_chain;
  through bigint;
begin
  if before > extract(epoch from now()) * 1000 - 86400000 then
    raise exception 'Entries of the last day are not removed from the audit log';
  end if;
  select * into chain from audit_chain for update;
  select id - 1 into through from audit_entry where time >= before order by id limit 1;
  through := coalesce(through, chain.last_id);
  removed := 0;
  last_removed := chain.removed_id;
  if through > chain.removed_id then
    update audit_chain set
      removed_id = through,
      removed_hash = coalesce((select hash from audit_entry where id <= through order by id desc limit 1), chain.removed_hash);
    perform set_config('patch.audit_removal', 'on', true);
    delete from audit_entry where id <= through;
    get diagnostics removed = row_count;
    perform set_config('patch.audit_removal', 'off', true);
    last_removed := through;
  end if;
  return next;
end
$$;
