-- Machines of licensed clients, and what they miss. See docs/decisions/050 and 051. Times are epoch milliseconds.
-- Tables with rows of clients are partitioned by a hash of the client, so that they can be spread over several disks or servers.

-- Off until an administrator switches it on: whether the client may report machines.
alter table licensed_client add column reports_machines boolean not null default false;

-- The dictionary: each part of an inventory that can be judged by itself, once, however many machines have it.
create table inventory_part (
  id int generated always as identity primary key,
  -- SHA-256 of the content, of which 132 bits are kept.
  hash text collate "C" not null unique,
  kind text not null,
  -- What records are looked up by: the release in the catalogue, the Windows product; empty where names alone decide.
  scope text collate "C" not null,
  names text[] not null,
  -- A machine that has this part and nothing else, as catalogue/machines/machine.ts describes it.
  machine jsonb not null,
  judged boolean not null default false
);
create index inventory_part_by_name on inventory_part using gin (names);
create index inventory_part_by_scope on inventory_part (scope, id);
create index inventory_part_not_judged on inventory_part (id) where not judged;

-- Records that some part misses, with what the counts of machines take from them.
create table missing_record (
  id int generated always as identity primary key,
  list text not null,
  record_id bigint not null,
  severity text,
  exploited boolean not null,
  -- Machines that certainly miss it, as of the last count.
  machines int not null default 0,
  unique (list, record_id)
);
create index missing_record_by_machines on missing_record (machines desc, id);

-- The standing judgement: what each part misses.
create table part_missing (
  part_id int not null references inventory_part on delete cascade,
  missing_id int not null references missing_record,
  state text not null,
  reason text,
  evidence jsonb not null,
  primary key (part_id, missing_id)
);
create index part_missing_by_record on part_missing (missing_id, part_id);

-- Parts whose judgement, or the severity of whose records, has changed: machines that have them are counted again.
create table part_to_count (part_id int primary key);

-- How far the changes of each list have been judged.
create table judged_list (
  list text primary key,
  revision bigint not null,
  record_id bigint not null
);

-- One worker at a time judges, until its lease ends. By which version of the rules the parts are judged: another one judges all again.
create table fleet_worker (
  id int primary key check (id = 1),
  holder text not null default '',
  until bigint not null default 0,
  rules text not null default '',
  -- Revisions of the index of records and of risk, as of which severities were taken over.
  severity_revision bigint not null default 0,
  risk_revision bigint not null default 0,
  -- When the machines of each record were last counted, and whether something has changed since.
  tallied_on bigint not null default 0,
  tally_due boolean not null default false
);
insert into fleet_worker (id) values (1);

-- Whether the catalogue has records of a release or product: machines of others are not judged.
create table judged_scope (
  kind text not null,
  scope text collate "C" not null,
  catalogued boolean not null,
  primary key (kind, scope)
);

-- One row a client that has ever reported: numbers its machines, and its lock keeps its reports in turn.
create table fleet_client (
  client_id bigint primary key,
  last_number bigint not null default 0
);

create table machine (
  client_id bigint not null,
  -- client_id * 2^26 + a number within the client: it tells the partition.
  id bigint not null,
  natural_key text collate "C" not null,
  created_time bigint not null,
  updated_time bigint not null,
  keyword text collate "C" not null,
  name text,
  name_folded text collate "C",
  machine_key text,
  machine_key_folded text collate "C",
  client text,
  client_folded text collate "C",
  platform text,
  platform_folded text collate "C",
  platform_rank smallint,
  release text,
  release_folded text collate "C",
  architecture text,
  architecture_folded text collate "C",
  build text,
  build_folded text collate "C",
  kernel text,
  kernel_folded text collate "C",
  reboot_pending boolean,
  end_of_life bigint,
  package_count bigint,
  revision bigint not null default 0,
  -- Of the whole report, to tell whether another one says something else.
  report_hash text collate "C" not null,
  -- Numbers of inventory parts, ascending, as differences: server/fleet/number-set.ts.
  parts bytea not null,
  primary key (client_id, id),
  unique (client_id, natural_key)
) partition by hash (client_id);
create table machine_0 partition of machine for values with (modulus 8, remainder 0);
create table machine_1 partition of machine for values with (modulus 8, remainder 1);
create table machine_2 partition of machine for values with (modulus 8, remainder 2);
create table machine_3 partition of machine for values with (modulus 8, remainder 3);
create table machine_4 partition of machine for values with (modulus 8, remainder 4);
create table machine_5 partition of machine for values with (modulus 8, remainder 5);
create table machine_6 partition of machine for values with (modulus 8, remainder 6);
create table machine_7 partition of machine for values with (modulus 8, remainder 7);
create index machine_by_name_folded on machine (name_folded, id);
create index machine_by_machine_key_folded on machine (machine_key_folded, id);
create index machine_by_client_folded on machine (client_folded, id);
create index machine_by_client_id on machine (client_id, id);
create index machine_by_platform_rank on machine (platform_rank, id);
create index machine_by_release_folded on machine (release_folded, id);
create index machine_by_architecture_folded on machine (architecture_folded, id);
create index machine_by_build_folded on machine (build_folded, id);
create index machine_by_kernel_folded on machine (kernel_folded, id);
create index machine_by_reboot_pending on machine (reboot_pending, id);
create index machine_by_end_of_life on machine (end_of_life, id);
create index machine_by_package_count on machine (package_count, id);
create index machine_by_words on machine using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 256);
create index machine_by_revision on machine (revision, id);
insert into list_revision (list, revision, listed) values ('machines', 0, 0);

-- What changes without the inventory: apart, so that a machine that is only seen again writes no index of the inventory.
create table machine_standing (
  client_id bigint not null,
  id bigint not null,
  last_seen bigint not null,
  -- The report that the counts are of; another one than the machine's: to be counted.
  counted_hash text collate "C",
  judged_on bigint,
  not_judged boolean not null default false,
  missing bigint,
  missing_critical bigint,
  missing_important bigint,
  missing_moderate bigint,
  missing_low bigint,
  missing_unspecified bigint,
  missing_exploited bigint,
  uncertain bigint,
  needs_subscription bigint,
  accepted bigint,
  primary key (client_id, id)
) partition by hash (client_id);
create table machine_standing_0 partition of machine_standing for values with (modulus 8, remainder 0) with (fillfactor = 80);
create table machine_standing_1 partition of machine_standing for values with (modulus 8, remainder 1) with (fillfactor = 80);
create table machine_standing_2 partition of machine_standing for values with (modulus 8, remainder 2) with (fillfactor = 80);
create table machine_standing_3 partition of machine_standing for values with (modulus 8, remainder 3) with (fillfactor = 80);
create table machine_standing_4 partition of machine_standing for values with (modulus 8, remainder 4) with (fillfactor = 80);
create table machine_standing_5 partition of machine_standing for values with (modulus 8, remainder 5) with (fillfactor = 80);
create table machine_standing_6 partition of machine_standing for values with (modulus 8, remainder 6) with (fillfactor = 80);
create table machine_standing_7 partition of machine_standing for values with (modulus 8, remainder 7) with (fillfactor = 80);
create index machine_standing_to_count on machine_standing (client_id, id) where counted_hash is null;
create index machine_standing_by_last_seen on machine_standing (last_seen, id);

-- Which machines have a part: numbers within a chunk of 2,048 machines of one client, as machine.parts.
create table part_machines (
  client_id bigint not null,
  part_id int not null,
  chunk int not null,
  machines bytea not null,
  primary key (part_id, client_id, chunk)
) partition by hash (client_id);
create table part_machines_0 partition of part_machines for values with (modulus 8, remainder 0);
create table part_machines_1 partition of part_machines for values with (modulus 8, remainder 1);
create table part_machines_2 partition of part_machines for values with (modulus 8, remainder 2);
create table part_machines_3 partition of part_machines for values with (modulus 8, remainder 3);
create table part_machines_4 partition of part_machines for values with (modulus 8, remainder 4);
create table part_machines_5 partition of part_machines for values with (modulus 8, remainder 5);
create table part_machines_6 partition of part_machines for values with (modulus 8, remainder 6);
create table part_machines_7 partition of part_machines for values with (modulus 8, remainder 7);
create index part_machines_by_chunk on part_machines (client_id, chunk);

-- Missing records that an administrator accepts until a date, for one machine or for all of a client.
create table missing_exception (
  id bigint generated always as identity primary key,
  client_id bigint not null,
  -- Null: all machines of the client.
  machine_id bigint,
  list text not null,
  record_id bigint not null,
  until bigint not null,
  reason text not null,
  created_by text not null,
  created_time bigint not null,
  -- Whether the counts of machines know that it is over.
  ended boolean not null default false
);
create unique index missing_exception_once on missing_exception (client_id, coalesce(machine_id, 0), list, record_id);
create index missing_exception_by_record on missing_exception (list, record_id);

-- What the fleet missed at the end of each day, by client.
create table fleet_day (
  day bigint not null,
  client_id bigint not null,
  machines bigint not null,
  machines_missing bigint not null,
  machines_exploited bigint not null,
  missing bigint not null,
  missing_critical bigint not null,
  missing_important bigint not null,
  missing_exploited bigint not null,
  primary key (day, client_id)
);

create view machines as select
  machine_standing.id, natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  name, name_folded, machine_key, machine_key_folded, client, client_folded, machine.client_id, platform, platform_folded, platform_rank,
  release, release_folded, architecture, architecture_folded, build, build_folded, kernel, kernel_folded, reboot_pending, end_of_life, package_count,
  last_seen, judged_on, not_judged, missing, missing_critical, missing_important, missing_moderate, missing_low, missing_unspecified,
  missing_exploited, uncertain, needs_subscription, accepted, null::jsonb as detail
from machine join machine_standing on machine_standing.client_id = machine.client_id and machine_standing.id = machine.id;
