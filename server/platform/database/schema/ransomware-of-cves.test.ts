/** CVEs of a database of the version before CISA's Unknown was shown as nothing. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { migrateBefore } from '../../../testing/earlier-database.ts';
import { migrate } from './migrate.ts';

describeWithDatabase('ransomware of earlier CVEs', (openFresh) => {
  test('becomes empty where it was No, as a change that clients are told of', async () => {
    const database = await openFresh();
    await migrateBefore(database, 160);
    await database.script(
      `insert into list_revision (list, revision, listed) values ('vulnerabilities', 7, 3) on conflict (list) do update set revision = 7;
       insert into vulnerability (cve, cve_folded, cve_order, title, title_folded, keyword, ransomware, created_time, updated_time, revision, told_revision)
         select cve, lower(cve), cve, '', '', '', ransomware, 1, 1, 5, 5
         from (values ('CVE-2026-1', true), ('CVE-2026-2', false), ('CVE-2026-3', null)) as known(cve, ransomware)`,
    );
    await migrate(database);
    const { rows } = await database.query(
      'select cve, ransomware, revision, told_revision from vulnerability order by cve',
    );
    expect(rows).toEqual([
      { cve: 'CVE-2026-1', ransomware: true, revision: 5, told_revision: 5 },
      { cve: 'CVE-2026-2', ransomware: null, revision: 8, told_revision: 8 },
      { cve: 'CVE-2026-3', ransomware: null, revision: 5, told_revision: 5 },
    ]);
    const revision = "select revision from list_revision where list = 'vulnerabilities'";
    expect((await database.query(revision)).rows).toEqual([{ revision: 8 }]);
  });
});
