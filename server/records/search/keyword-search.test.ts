/** Keywords of words, phrases, KB numbers and packages. random-searches.test.ts draws words and phrases from records. */
import { getList } from '@patch/catalogue/lists.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords, writeRows } from '../../testing/record-factories.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from './search-store.ts';

const kbs = getList('patch_repository');
const alma = getList('almalinux_patch');

const some = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

const rows = Array.from({ length: 160 }, (_, n) => {
  const product = `Windows ${some(['Server 2022', 'Server 2019', '11 Version 23H2', '10'], n)}`;
  const kbId = `KB${5_030_000 + n * 13}`;
  return {
    name: `${some(['2024-01', '2024-02'], n * 3)} ${some(['Cumulative', 'Security'], n * 5)} Update for ${product} (${kbId})`,
    productName: product,
    kbId,
    severity: some(['Critical', 'Important', 'Moderate', 'Very bad', null], n * 7),
    impact: some(['Remote Code Execution', 'Elevation of Privilege', '100% "loss"', null], n * 11),
    component: some([['Windows Kernel', 'HTTP.sys'], ['Straße', 'back\\slash'], null], n),
    cve: n % 3 === 0 ? [`CVE-2024-${20_000 + n}`, `CVE-2023-${30_000 + n}`] : null,
    supersedes: n % 4 === 0 ? [`KB${5_030_000 + ((n + 1) % 160) * 13}`] : null,
    releaseDate: 1_700_000_000_000 + ((n * 37) % 23) * 86_400_000,
  };
});
describeWithDatabase('keyword search', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await writeRows(database, kbs, rows);
  });

  const namesFound = async (keyword: string, list = kbs) => {
    const page = await new SearchStore(database).find(
      readSearch(list, { offset: 0, size: 25 }, { keyword }),
    );
    return (JSON.parse(`[${page.rows}]`) as { kbId: string }[]).map(({ kbId }) => kbId);
  };

  test('finds Critical records of a product by unquoted words', async () => {
    const expected = rows.filter(
      ({ severity, productName }) =>
        severity === 'Critical' && productName === 'Windows Server 2022',
    );
    expect(expected.length).toBeGreaterThan(0);
    expect((await namesFound('critical windows server 2022')).toSorted()).toEqual(
      expected.map(({ kbId }) => kbId).toSorted(),
    );
    expect(await namesFound('"critical windows server 2022"')).toEqual([]);
  });

  test.each(['KB5030013', '5030013', '"kb5030013"', ' KB5030013 '])(
    'finds for %j its record first, then records that mention it',
    async (keyword) => {
      const [first, ...others] = await namesFound(keyword);
      expect(first).toBe('KB5030013');
      expect(others).toEqual(['KB5030000']);
    },
  );

  test('searches a package and a word independently', async () => {
    const advisory = (bulletinId: string, severity: string, version: string) => {
      const row = { bulletinId, title: 'openssl security update', severity };
      const detail = { packages: [{ name: 'openssl-libs', version }] };
      return { key: bulletinId, row, detail };
    };
    await writeRecords(database, alma, [
      advisory('ALSA-2024:1', 'Critical', '1:1.1.1k-12.el8_9'),
      advisory('ALSA-2024:2', 'Low', '1:1.1.1k-12.el8_9'),
      advisory('ALSA-2024:3', 'Critical', '1:1.1.1k-14.el8_6'),
    ]);
    const search = readSearch(
      alma,
      { offset: 0, size: 25 },
      { keyword: 'critical openssl-libs-1.1.1k-12.el8_9.x86_64' },
    );
    const { rows: found } = await new SearchStore(database).find(search);
    expect(
      (JSON.parse(`[${found}]`) as { bulletinId: string }[]).map(({ bulletinId }) => bulletinId),
    ).toEqual(['ALSA-2024:1']);
  });
});
