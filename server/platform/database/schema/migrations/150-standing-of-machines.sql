-- Each machine has one row of its standing. As an outer join PostgreSQL leaves it out of searches that compare none of its columns.
create or replace view machines as select
  machine.id, natural_key, created_time, updated_time, null::bigint as withdrawn_time, keyword, revision,
  name, name_folded, machine_key, machine_key_folded, client, client_folded, machine.client_id, platform, platform_folded, platform_rank,
  release, release_folded, architecture, architecture_folded, build, build_folded, kernel, kernel_folded, reboot_pending, end_of_life, package_count,
  last_seen, judged_on, not_judged, missing, missing_critical, missing_important, missing_moderate, missing_low, missing_unspecified,
  missing_exploited, uncertain, needs_subscription, accepted, null::jsonb as detail, shared_on is not null as shared_key, tags, tags_folded
from machine left join machine_standing on machine_standing.client_id = machine.client_id and machine_standing.id = machine.id;
