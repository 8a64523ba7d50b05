/** Keywords of several words and phrases, drawn from the records themselves, against a plain evaluation in memory. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { listOfKey } from '@patch/catalogue/lists.ts';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords, writeRows } from '../../testing/record-factories.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';
import { SearchStore } from './search-store.ts';

const kbs = listOfKey('patch_repository');
const alma = listOfKey('almalinux_patch');

const some = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

/** Every text of a record stands in its row; numbers and dates are no texts. */
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
const textsOf = (row: (typeof rows)[number]): readonly string[] =>
  Object.values(row)
    .flat()
    .filter((value) => typeof value === 'string')
    .map(fold);

/** A part of a keyword as it is written, and what a text must contain for it. */
interface Written {
  readonly written: string;
  readonly text: string;
}

const text = fc.constantFrom(...rows.flatMap(textsOf));
const cut = fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 }));
const cased = fc.constantFrom(
  (one: string) => one,
  (one: string) => one.toUpperCase(),
);
/** A whole word of a record, or a piece of one. */
const word = fc
  .tuple(text, fc.nat(), cut, fc.boolean(), cased)
  .map(([from, n, ends, whole, spelt]): Written => {
    const one = some(from.split(' '), n);
    const [before, after] = ends;
    const piece = whole ? one : one.slice(before, one.length - after) || one;
    // A quote that begins a word is not meant here.
    const plain = piece.replace(/^"+/, '') || 'x';
    return { written: spelt(plain), text: fold(spelt(plain)) };
  });
const phrase = fc
  .tuple(text, fc.nat(), fc.integer({ min: 1, max: 3 }))
  .map(([from, n, length]): Written => {
    const words = from.split(' ');
    const at = n % words.length;
    const asked = words.slice(at, at + length).join(' ');
    return { written: `"${asked.replaceAll('"', '""')}"`, text: asked };
  });
const stray = fc
  .constantFrom('zzz', '%', '_', '\\', 'kernel windows', 'a"b')
  .map((one): Written => ({ written: one.includes(' ') ? `"${one}"` : one, text: one }));
const keyword = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: word },
    { weight: 3, arbitrary: phrase },
    { weight: 1, arbitrary: stray },
  ),
  { minLength: 1, maxLength: 4 },
);

function contains(row: (typeof rows)[number], { text: asked }: Written): boolean {
  const texts = textsOf(row);
  const number = /^kb(\d{5,})$/.exec(asked)?.[1];
  return texts.some((one) => one.includes(asked)) || texts.some((one) => one === number);
}

describeWithDatabase('a keyword of words and phrases', (open) => {
  let database: Database;
  let ids: readonly number[];
  beforeAll(async () => {
    database = await open();
    ids = await writeRows(database, kbs, rows);
  });

  const heavy = {
    price: { heavyAbove: -1, refusedAbove: Number.POSITIVE_INFINITY },
    windows: { window: 15, maxRows: 40, work: Number.POSITIVE_INFINITY },
  };
  const stores = () => [
    new SearchStore(database),
    new SearchStore(database, { fewRows: 5, manyCandidates: 1_000_000, nearOffset: 0, hop: 4 }),
    new SearchStore(database, { ...heavy, fewRows: 10 }),
    new SearchStore(database, { ...heavy, fewRows: 1_500 }),
  ];
  const idsIn = (found: string) =>
    (JSON.parse(`[${found}]`) as { id: number }[]).map(({ id }) => id);
  async function exported(store: SearchStore, search: Search): Promise<readonly number[]> {
    const all: number[] = [];
    for await (const page of store.pages(search, 50)) all.push(...idsIn(page));
    return all;
  }

  test('finds the records that contain each of them, by every way of searching', {
    timeout: 240_000,
  }, async () => {
    const all = stores();
    let found = 0;
    await fc.assert(
      fc.asyncProperty(keyword, fc.constantFrom(' ', '  ', '\t'), async (parts, between) => {
        const search = readSearch(
          kbs,
          { offset: 0, size: 1000, sort: 'id' },
          { keyword: parts.map(({ written }) => written).join(between) },
        );
        const expected = ids.filter((_, n) =>
          parts.every((part) => contains(rows[n] as (typeof rows)[number], part)),
        );
        if (expected.length > 0) found += 1;
        for (const store of all) {
          const page = await store.find(search);
          expect({ ids: idsIn(page.rows), total: page.total }).toEqual({
            ids: expected,
            total: expected.length,
          });
        }
        expect(await exported(all[2] as SearchStore, search)).toEqual(expected);
        expect((await all[2]?.matching(search))?.toSorted((a, b) => a - b)).toEqual(expected);
      }),
      { numRuns: 400, seed: 39 },
    );
    // Words drawn from the records are seldom all in one record by chance; these cases must not be empty ones alone.
    expect(found).toBeGreaterThan(100);
  });

  const namesFound = async (asked: string, list = kbs) => {
    const page = await new SearchStore(database).find(
      readSearch(list, { offset: 0, size: 25 }, { keyword: asked }),
    );
    return (JSON.parse(`[${page.rows}]`) as { kbId: string }[]).map(({ kbId }) => kbId);
  };

  test('finds Critical records of a product by the words alone', async () => {
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
    '%j finds its record first, and then those that name it',
    async (asked) => {
      const [first, ...others] = await namesFound(asked);
      expect(first).toBe('KB5030013');
      expect(others).toEqual(['KB5030000']);
    },
  );

  test('a package and a word are looked for each by itself', async () => {
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
      (JSON.parse(`[${found}]`) as { bulletinId: string }[]).map((one) => one.bulletinId),
    ).toEqual(['ALSA-2024:1']);
  });
});
