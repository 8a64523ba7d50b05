/** The statistics of a table are refreshed after enough of its rows were written. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { refreshStatistics } from './refresh-statistics.ts';

describeWithDatabase('refreshStatistics', (open) => {
  test('waits until written rows add up to the share of the table', async () => {
    const database = await open();
    // An earlier test may have left statistics of the table, which truncating removes.
    await database.script('truncate epss_score');
    await database.query(
      "insert into epss_score select 'cve-2031-' || n, 0.5, 0.5 from generate_series(1000, 50999) as n",
    );
    // A table that was never vacuumed has no statistics.
    expect(await refreshStatistics(database, { epss_score: 1 })).toEqual(['epss_score']);
    expect(await refreshStatistics(database, { epss_score: 1, record_epss: 0 })).toEqual([]);
    expect(await refreshStatistics(database, { epss_score: 300 })).toEqual([]);
    expect(await refreshStatistics(database, { epss_score: 300 })).toEqual(['epss_score']);
    expect(await refreshStatistics(database, { epss_score: 300 })).toEqual([]);
  });

  test('refreshes only tables with written rows', async () => {
    const database = await open();
    await database.script('vacuum (analyze) stored_record');
    const many = { vulnerability: 500, record_risk: 500, stored_record: 1 };
    await database.query(
      'insert into record_risk (record_id) select n from generate_series(1, 10) as n',
    );
    expect(await refreshStatistics(database, many)).toEqual(
      expect.arrayContaining(['record_risk', 'vulnerability']),
    );
    expect(
      await refreshStatistics(database, { ...many, vulnerability: 1, record_risk: 1 }),
    ).toEqual([]);
  });
});
