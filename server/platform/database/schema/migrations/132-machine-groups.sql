-- A group has the machines that report with its keys, or those that meet its criteria at any time.
alter table machine_group
  -- Written as in the address of the list of machines. Null: the machines that report with its keys.
  add column criteria text,
  add column owner_id bigint references users (id) on delete set null,
  -- Of a person without an account.
  add column owner_address text;

create or replace view reporting_fleet as
select id, client_name as name from licensed_client where reports_machines
union all
select id, name from machine_group where criteria is null;

-- Lines. What the machine reports and what people put on it are apart, so that neither removes the other.
alter table machine
  add column reported_tags text not null default '',
  add column own_tags text not null default '',
  add column tags text,
  add column tags_folded text collate "C";

create or replace view machines as select
  machine.id, natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  name, name_folded, machine_key, machine_key_folded, client, client_folded, machine.client_id, platform, platform_folded, platform_rank,
  release, release_folded, architecture, architecture_folded, build, build_folded, kernel, kernel_folded, reboot_pending, end_of_life, package_count,
  last_seen, judged_on, not_judged, missing, missing_critical, missing_important, missing_moderate, missing_low, missing_unspecified,
  missing_exploited, uncertain, needs_subscription, accepted, null::jsonb as detail, shared_on is not null as shared_key, tags, tags_folded
from machine join machine_standing on machine_standing.client_id = machine.client_id and machine_standing.id = machine.id;
