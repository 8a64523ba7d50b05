-- Several machines that report one key in turns, as clones of an image do. See server/fleet/machine-identity.ts.

alter table machine_standing
  -- The last few machines that reported the key, the latest first: name, sketch of the package names, when last seen.
  add column identities jsonb not null default '[]',
  -- Which of them reported last; 0 for one that an earlier version took in.
  add column identity int not null default 0,
  -- When one of them came back after another, the last time; null: one machine reports the key.
  add column shared_on bigint;

-- An exception for a machine holds while that machine reports the key.
alter table missing_exception add column identity int not null default 0;
drop index missing_exception_once;
create unique index missing_exception_once on missing_exception (client_id, coalesce(machine_id, 0), identity, list, record_id);

create or replace view machines as select
  machine.id, natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  name, name_folded, machine_key, machine_key_folded, client, client_folded, machine.client_id, platform, platform_folded, platform_rank,
  release, release_folded, architecture, architecture_folded, build, build_folded, kernel, kernel_folded, reboot_pending, end_of_life, package_count,
  last_seen, judged_on, not_judged, missing, missing_critical, missing_important, missing_moderate, missing_low, missing_unspecified,
  missing_exploited, uncertain, needs_subscription, accepted, null::jsonb as detail, shared_on is not null as shared_key
from machine join machine_standing on machine_standing.client_id = machine.client_id and machine_standing.id = machine.id;
