import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { migrateBefore } from '../../../testing/earlier-database.ts';
import { refreshStaleCves } from '../cves/stale-cve-store.ts';
import { migrate } from './migrate.ts';

describeWithDatabase('migration 163', (open) => {
  test('withdraws CVEs that nobody mentions, and adds those of which statuses of packages tell', async () => {
    const database = await open();
    await migrateBefore(database, 163);
    await database.script(`
      insert into list_revision (list, revision, listed) values ('vulnerabilities', 7, 4) on conflict (list) do update set revision = 7, listed = 4;
      insert into vulnerability (cve, cve_folded, cve_order, title, title_folded, keyword, created_time, updated_time, revision, told_revision, kev, record_count)
        select cve, lower(cve), cve, '', '', '', 1, 1, 5, 5, kev::jsonb, records
        from (values ('CVE-2026-0001', null, 0), ('CVE-2026-0002', '{}', 0), ('CVE-2026-0003', null, 0)) as known (cve, kev, records);
      insert into epss_score values ('cve-2026-0003', 0.1, 0.1);
      insert into package_status (source, part, release, package, cve, word, created_time, changed_time)
        values ('debian', '12', 'Debian 12', 'xen', 'CVE-2026-0005', 'open', 1, 1), ('debian', '12', 'Debian 12', 'xen', 'CVE-2026-0001', 'gone', 1, 1)`);
    await migrate(database);
    await refreshStaleCves(database);
    const { rows } = await database.query(
      `select cve, withdrawn_time is null as listed, told_revision > 7 as told from vulnerability order by cve`,
    );
    expect(rows).toEqual([
      { cve: 'CVE-2026-0001', listed: false, told: true },
      { cve: 'CVE-2026-0002', listed: true, told: false },
      { cve: 'CVE-2026-0003', listed: true, told: false },
      { cve: 'CVE-2026-0005', listed: true, told: true },
    ]);
  });
});
