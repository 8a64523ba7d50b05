-- Days to fix are those of the calendar; they were rounded from the times. They are counted again when the service starts.
insert into stale_cve (cve_folded, scores, facts, records, stated)
select cve_folded, false, false, true, false from vulnerability where days_to_fix is not null
on conflict (cve_folded) do update set records = true;
