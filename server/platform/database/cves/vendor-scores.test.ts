/** CVSS scores that vendors' records state: which are stored, when they count, and that they follow the records. */
import type { CvssScore } from '@patch/catalogue/definition/risk-facts.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { Random } from '../../../fleet/testing/random-fleet.ts';
import { buildCveFacts, buildCvssScore, writeCveFacts } from '../../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import {
  type RecordToWrite,
  withdrawRecords,
  writeRecords,
} from '../../../testing/record-factories.ts';
import type { Database } from '../database.ts';
import { refreshStaleCves } from './stale-cve-store.ts';

const alma = getList('almalinux_patch');
const oracle = getList('oracle_linux_patch');
const rocky = getList('rockylinux_patch');
const kbs = getList('patch_repository');

const vector = (version: string, impact = 'H') => `CVSS:${version}/AV:N/C:${impact}`;

type Stated = readonly [cve: string, score: string | null, vector: string | null];

const erratum = (key: string, releaseDate: number | null, ...stated: Stated[]): RecordToWrite => ({
  key,
  row: { title: key, bulletinId: key, releaseDate },
  detail: {
    cve: stated.map(([cve]) => cve),
    vulnerabilities: stated.map(([cve, score, written]) => ({ cve, score, vector: written })),
  },
});

const kb = (key: string, ...stated: Stated[]): RecordToWrite => ({
  key,
  row: { kbId: key, title: key, releaseDate: 5, cve: stated.map(([cve]) => cve) },
  detail: {
    vulnerabilities: stated.map(([cve, cvss, written]) => ({ cve, cvss, vector: written })),
  },
});

describeWithDatabase('vendor scores', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

  const readRows = async (sql: string) => (await database.query(sql)).rows;
  const readStored = () =>
    readRows(
      'select vendor_score.cve_folded as cve, list, version, score, vector, identifier from vendor_score join record using (list, record_id) order by 1, 2, 3',
    );
  const shown = async () => {
    const rows = await readRows(
      'select cve, cvss, cvss_source, cvss_vector, severity from vulnerability order by cve',
    );
    return rows.map((row) => Object.values(row));
  };
  const highest = async () => {
    const rows = await readRows(
      'select identifier, cvss from all_patches where cvss is not null order by identifier',
    );
    return Object.fromEntries(rows.map(({ identifier, cvss }) => [identifier, cvss]));
  };
  const refresh = () => refreshStaleCves(database);
  const withdrawRecord = async (list: typeof oracle, key: string) => {
    const rows = await readRows(`select id from ${list.key} where natural_key = '${key}'`);
    await withdrawRecords(
      database,
      list,
      rows.map(({ id }) => Number(id)),
    );
    await refresh();
  };
  let turn = 0;
  const nvd = (cve: string, scores: readonly Partial<CvssScore>[], rejected = false) => {
    turn += 1;
    const record = {
      status: rejected ? 'Rejected' : 'Analyzed',
      rejected,
      lastModified: turn,
      scores: scores.map(buildCvssScore),
    };
    return writeCveFacts(database, buildCveFacts(cve, record));
  };

  test('are stored by vendor and version of CVSS: the highest, of the record released first', async () => {
    await writeRecords(database, oracle, [
      erratum('ELSA-2', 20, ['CVE-2024-1111', '7.5', vector('3.1')], ['CVE-2024-2222', '11', null]),
      erratum(
        'ELSA-1',
        10,
        ['CVE-2024-1111', '7.5', vector('3.1')],
        ['CVE-2024-1111', '5.0', 'AV:N/AC:L/Au:N/C:P/I:N/A:N'],
        ['CVE-2024-2222', null, vector('3.1')],
      ),
      erratum('ELSA-3', 1, ['CVE-2024-1111', '7.4', vector('3.1')]),
    ]);
    await writeRecords(database, kbs, [
      kb('KB1', ['CVE-2024-1111', '6', vector('3.1', 'L')], ['CVE-2024-3333', '9.8', null]),
    ]);
    // AlmaLinux states no scores.
    await writeRecords(database, alma, [erratum('ALSA-1', 1, ['CVE-2024-1111', '10', null])]);
    expect(await readStored()).toEqual([
      {
        cve: 'cve-2024-1111',
        list: 'oracle_linux_patch',
        version: '2.0',
        score: 5,
        vector: 'AV:N/AC:L/Au:N/C:P/I:N/A:N',
        identifier: 'ELSA-1',
      },
      {
        cve: 'cve-2024-1111',
        list: 'oracle_linux_patch',
        version: '3.1',
        score: 7.5,
        vector: vector('3.1'),
        identifier: 'ELSA-1',
      },
      {
        cve: 'cve-2024-1111',
        list: 'patch_repository',
        version: '3.1',
        score: 6,
        vector: vector('3.1', 'L'),
        identifier: 'KB1',
      },
      {
        cve: 'cve-2024-3333',
        list: 'patch_repository',
        version: '',
        score: 9.8,
        vector: null,
        identifier: 'KB1',
      },
    ]);
  });

  test('count only while the file of NVD has no score', async () => {
    await writeRecords(database, alma, [erratum('ALSA-1', 1, ['CVE-2024-1111', null, null])]);
    await writeRecords(database, rocky, [
      erratum('RLSA-1', 1, ['CVE-2024-1111', '7.5', vector('3.1')]),
    ]);
    await refresh();
    expect(await shown()).toEqual([
      ['CVE-2024-1111', 7.5, 'Vendor (Red Hat, by Rocky Linux)', vector('3.1'), 'Important'],
    ]);
    expect(await highest()).toEqual({ 'ALSA-1': 7.5, 'RLSA-1': 7.5 });
    // NVD has analysed but not scored it.
    await nvd('CVE-2024-1111', []);
    await refresh();
    expect((await shown())[0]).toContain(7.5);
    await nvd('CVE-2024-1111', [{ scorer: 'cisa', score: 4, version: '3.0' }]);
    await refresh();
    expect(await shown()).toEqual([['CVE-2024-1111', 4, 'CISA', null, 'Moderate']]);
    expect(await highest()).toEqual({ 'ALSA-1': 4, 'RLSA-1': 4 });
    await nvd('CVE-2024-1111', [], true);
    await refresh();
    expect(await shown()).toEqual([['CVE-2024-1111', null, null, null, null]]);
    expect(await highest()).toEqual({});
    expect(await readStored()).toHaveLength(1);
  });

  test('count by the highest version, then by the highest score', async () => {
    await writeRecords(database, rocky, [
      erratum('RLSA-1', 1, ['CVE-2024-1111', '9.9', vector('3.0')]),
    ]);
    await writeRecords(database, kbs, [kb('KB1', ['CVE-2024-1111', '5', vector('3.1')])]);
    await writeRecords(database, oracle, [
      erratum('ELSA-1', 1, ['CVE-2024-1111', '6', vector('3.1')]),
    ]);
    expect(await shown()).toEqual([
      ['CVE-2024-1111', 6, 'Vendor (Oracle)', vector('3.1'), 'Moderate'],
    ]);
    await writeRecords(database, rocky, [
      erratum('RLSA-2', 1, ['CVE-2024-1111', '2', vector('4.0')]),
    ]);
    expect((await shown())[0]).toContain('Vendor (Red Hat, by Rocky Linux)');
  });

  test('are replaced by the next highest when their record is withdrawn, and removed with the last', async () => {
    await writeRecords(database, oracle, [
      erratum('ELSA-1', 1, ['CVE-2024-1111', '9', vector('3.1')]),
      erratum('ELSA-2', 2, ['CVE-2024-1111', '7', vector('3.1')]),
      erratum('ELSA-3', 3, ['CVE-2024-1111', '8', vector('3.1')]),
    ]);
    expect((await shown())[0]).toContain(9);
    // The vendor corrects its record.
    await writeRecords(database, oracle, [
      erratum('ELSA-1', 1, ['CVE-2024-1111', '3', vector('3.1')]),
    ]);
    await refresh();
    expect((await shown())[0]).toContain(8);
    expect(await highest()).toEqual({ 'ELSA-1': 8, 'ELSA-2': 8, 'ELSA-3': 8 });
    await withdrawRecord(oracle, 'ELSA-3');
    expect((await shown())[0]).toContain(7);
    expect(await highest()).toEqual({ 'ELSA-1': 7, 'ELSA-2': 7 });
    // The record names the CVE without a score.
    await writeRecords(database, oracle, [erratum('ELSA-2', 2, ['CVE-2024-1111', null, null])]);
    await withdrawRecord(oracle, 'ELSA-1');
    expect(await readStored()).toEqual([]);
    expect(await shown()).toEqual([['CVE-2024-1111', null, null, null, null]]);
    expect(await highest()).toEqual({});
    await writeRecords(database, oracle, [
      erratum('ELSA-1', 1, ['CVE-2024-1111', '3', vector('3.1')]),
    ]);
    expect(await readStored()).toHaveLength(1);
  });

  test('match the listed records after random writes and withdrawals', async () => {
    const random = new Random(11);
    const lists = [oracle, rocky];
    const written = new Map<string, { list: string; record: RecordToWrite }>();
    const cves = ['CVE-2024-1111', 'CVE-2024-2222', 'CVE-2024-3333'];
    for (let step = 0; step < 60; step += 1) {
      const list = random.of(lists);
      const key = `${list.key}-${random.below(6)}`;
      if (random.below(4) === 0) {
        await withdrawRecord(list, key);
        written.delete(key);
        continue;
      }
      const stated = cves
        .filter(() => random.below(2) === 0)
        .map((cve): Stated => {
          const score = random.below(4) === 0 ? null : String(random.below(5));
          return [cve, score, vector(random.of(['3.0', '3.1']), random.of(['H', 'L']))];
        });
      const record = erratum(key, random.of([null, 1, 2]), ...stated);
      written.set(key, { list: list.key, record });
      await writeRecords(database, list, [record]);
      if (random.below(3) === 0) await refresh();
    }
    await refresh();
    // Any of several equal records released together may provide the score.
    const withoutRecord = (await readStored()).map(({ identifier: _identifier, ...row }) => row);
    expect(withoutRecord).toEqual(computeBest([...written.values()]));
    expect((await readStored()).length).toBeGreaterThan(6);
  });
});

interface PlainStatement {
  readonly cve: string;
  readonly list: string;
  readonly version: string;
  readonly score: number;
  readonly vector: string;
}

/** Computes the best statement of each CVE, list and version in memory. */
function computeBest(
  records: readonly { readonly list: string; readonly record: RecordToWrite }[],
): readonly PlainStatement[] {
  const statements = records.flatMap(({ list, record: { row, detail = {} } }) =>
    (detail['vulnerabilities'] as { cve: string; score: string | null; vector: string }[])
      .filter(({ score }) => score !== null)
      .map(({ cve, score, vector: written }) => ({
        date: Number(row['releaseDate'] ?? Number.MAX_VALUE),
        statement: {
          cve: cve.toLowerCase(),
          list,
          version: written.slice(5, 8),
          score: Number(score),
          vector: written,
        },
      })),
  );
  const groups = Map.groupBy(
    statements,
    ({ statement: { cve, list, version } }) => `${cve} ${list} ${version}`,
  );
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => {
      const best = Math.max(...group.map(({ statement }) => statement.score));
      const highest = group.filter(({ statement }) => statement.score === best);
      const first = Math.min(...highest.map(({ date }) => date));
      const [chosen] = highest
        .filter(({ date }) => date === first)
        .map(({ statement }) => statement)
        .toSorted((a, b) => (a.vector === b.vector ? 0 : a.vector < b.vector ? -1 : 1));
      return chosen === undefined ? [] : [chosen];
    });
}
