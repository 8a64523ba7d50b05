/** The statistics of a table are refreshed once enough of its rows were written. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { refreshStatistics } from './refresh-statistics.ts';

describeWithDatabase('the statistics of tables', (open) => {
  test('are left alone after a few rows, and refreshed once these have become many', async () => {
    const database = await open();
    await database.query(
      "insert into epss_score select 'cve-2031-' || n, 0.5, 0.5 from generate_series(1000, 50999) as n",
    );
    // Never vacuumed: the planner knows nothing of its rows.
    expect(await refreshStatistics(database, { epss_score: 1 })).toEqual(['epss_score']);
    expect(await refreshStatistics(database, { epss_score: 1, record_epss: 0 })).toEqual([]);
    expect(await refreshStatistics(database, { epss_score: 300 })).toEqual([]);
    expect(await refreshStatistics(database, { epss_score: 300 })).toEqual(['epss_score']);
    expect(await refreshStatistics(database, { epss_score: 300 })).toEqual([]);
  });

  test('are those of the tables that were written, and no others', async () => {
    const database = await open();
    await database.script('vacuum (analyze) record');
    const many = { vulnerability: 500, record_risk: 500, record: 1 };
    await database.query(
      "insert into record_risk (list, record_id) select 'debian_patch', n from generate_series(1, 10) as n",
    );
    expect(await refreshStatistics(database, many)).toEqual(
      expect.arrayContaining(['record_risk', 'vulnerability']),
    );
    expect(
      await refreshStatistics(database, { ...many, vulnerability: 1, record_risk: 1 }),
    ).toEqual([]);
  });
});
