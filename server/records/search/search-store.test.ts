/** Every way of finding a page answers what a plain scan over all rows in memory answers. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { fieldOf } from '@patch/catalogue/definition/list-definition.ts';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { windowsKbList } from '@patch/catalogue/vendors/windows/windows-kb-list.ts';
import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { withdraw, writeEntries } from '../../platform/database/entry-writer.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { literalPattern, type ModelRow, modelSearch } from '../../testing/search-model.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from './search-store.ts';

const errata = listOfKey(almalinuxList.key);
/** Several values of a row are several lines. */
const openErrata = { ...errata, searchable: [...errata.searchable, 'binaryPkgName'] };
const kbs = listOfKey(windowsKbList.key);

const words = [
  'openssl',
  'OpenSSL',
  'kernel',
  'Kernel-RT',
  'bash',
  'İstanbul',
  'straße',
  '100%',
  'a_b',
  "o'neil",
  'back\\slash',
  'x',
  'ab',
];
const some = <T>(values: readonly T[], n: number): T => values[n % values.length] as T;

const quote = (value: string) => `'${fold(value).replaceAll("'", "''")}'`;

/** Some values are missing, many are equal, ids are not in the order of anything. */
function rowsOf(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    key: `ALSA-2024:${n}`,
    row: {
      title: n % 17 === 0 ? null : `${some(words, n * 7)} ${some(words, n * 3)} update`,
      releaseDate: n % 5 === 0 ? null : 1_700_000_000_000 + ((n * 37) % 23) * 86_400_000,
      bulletinId: `ALSA-2024:${n}`,
      severity:
        n % 11 === 0 ? null : some(['Low', 'Moderate', 'Important', 'Critical', 'Unheard of'], n),
      binaryPkgName:
        n % 13 === 0 ? null : [some(words, n), `${some(words, n)}-libs`, some(words, n * 5)],
      category: some(['security', 'bugfix'], n),
      osVersion: [String(8 + (n % 3))],
    },
    detail: {
      cve: n % 4 === 0 ? [`CVE-2024-${3000 + n}`] : [],
      packages:
        n % 3 === 0
          ? []
          : [
              {
                name: some(['openssl', 'kernel-core'], n),
                version: `${n % 2 === 0 ? '' : '1:'}4.18.0-${n % 9}1.el8`,
              },
            ],
    },
  }));
}

const kbRow = (kbId: string, more: object) => ({
  name: `Update ${kbId}`,
  kbId,
  releaseDate: 1_700_000_000_000,
  ...more,
});

describeWithDatabase('search', (open) => {
  let database: Database;
  let model: ModelRow[];
  const priced = { heavyAbove: -1, refusedAbove: Number.POSITIVE_INFINITY };
  const work = Number.POSITIVE_INFINITY;
  const stores = () => [
    new SearchStore(database),
    new SearchStore(database, { fewRows: 0, manyCandidates: 1_000_000, nearOffset: 0, hop: 4 }),
    new SearchStore(database, { fewRows: 20, manyCandidates: 1, nearOffset: 10, hop: 30 }),
  ];
  /** Every search is heavy: with few rows at once and with many. */
  const windowStores = () => [
    new SearchStore(database, {
      price: priced,
      fewRows: 10,
      windows: { window: 15, maxRows: 40, work },
    }),
    new SearchStore(database, {
      price: priced,
      fewRows: 1_500,
      windows: { window: 0, maxRows: 60, work },
    }),
  ];

  beforeAll(async () => {
    database = await open();
    const entries = rowsOf(150).map((entry) => ({
      ...entry,
      contentHash: contentHash(entry.row, entry.detail),
    }));
    const written = await database.transaction((tx) =>
      writeEntries(tx, errata, 'part', entries, 1),
    );
    const ids = new Map(written.map((change) => [change.key, change.rowId]));
    await database.transaction((tx) => withdraw(tx, errata, [ids.get('ALSA-2024:7') ?? 0], 2));
    model = entries
      .filter(({ key }) => key !== 'ALSA-2024:7')
      .map(({ key, row, detail }) => ({
        id: ids.get(key) ?? 0,
        row,
        extraWords: [
          ...detail.cve.map(fold),
          ...detail.packages.flatMap(({ name, version }) => [name, version.replace('1:', '')]),
        ],
      }));
  });

  const text = fc.constantFrom(
    ...words,
    'security',
    'critical',
    'unheard of',
    'alsa-2024:1',
    '8',
    'CVE-2024-3004',
    'update',
    'zzz',
    'e',
    'up',
    'kernel-core',
    'openssl-4.18.0-11.el8.x86_64',
    'kernel-core-1:4.18.0-71.el8',
    'kernel-core-4.18.0',
    '4.18.0-1',
  );
  const wordField = fc.constantFrom(
    'title',
    'bulletinId',
    'severity',
    'category',
    'osVersion',
    'binaryPkgName',
  );
  const wordCondition = fc.oneof(
    fc
      .tuple(wordField, fc.constantFrom('=', '!='), text)
      .map(([field, sign, value]) => `lower(${field}) ${sign} ${quote(value)}`),
    fc
      .tuple(
        wordField,
        fc.constantFrom('like', 'not like'),
        fc.constantFrom('', '%'),
        text,
        fc.constantFrom('', '%'),
      )
      .map(
        ([field, like, before, value, after]) =>
          `lower(${field}) ${like} ${quote(before + literalPattern(value) + after)}`,
      ),
    fc
      .tuple(
        wordField,
        fc.constantFrom('like', 'not like'),
        fc.constantFrom('%e%l', '%o_e%s%', 'b%', '%-_ibs', '_', '%'),
      )
      .map(([field, like, pattern]) => `lower(${field}) ${like} '${pattern}'`),
    fc
      .tuple(
        wordField,
        fc.constantFrom('in', 'not in'),
        fc.array(text, { minLength: 1, maxLength: 3 }),
      )
      .map(([field, sign, values]) => `lower(${field}) ${sign} (${values.map(quote).join(', ')})`),
    fc
      .tuple(wordField, fc.constantFrom('is null', 'is not null'))
      .map(([field, sign]) => `${field} ${sign}`),
  );
  const dateCondition = fc
    .tuple(fc.constantFrom('=', '!=', '<', '>', '<=', '>='), fc.integer({ min: 0, max: 24 }))
    .map(([sign, days]) => `releaseDate ${sign} ${1_700_000_000_000 + days * 86_400_000}`);
  const filter = fc
    .array(fc.oneof(wordCondition, dateCondition), { maxLength: 3 })
    .map((conditions) => conditions.join(' and '));
  const sort = fc.option(
    fc
      .uniqueArray(fc.constantFrom('id', ...Object.keys(errata.fields)), {
        minLength: 1,
        maxLength: 2,
      })
      .chain((fields) => fc.tuple(...fields.map((field) => fc.constantFrom(field, `-${field}`))))
      .map((keys) => keys.join(',')),
    { nil: undefined },
  );
  const asked = fc.record({
    filter,
    keyword: fc.option(text, { nil: '', freq: 2 }),
    sort,
    offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 160 })),
    size: fc.constantFrom(1, 7, 25, 1000),
  });

  const answersAsModel = (made: () => readonly SearchStore[], numRuns: number) => {
    const all = made();
    return fc.assert(
      fc.asyncProperty(
        asked,
        async ({ filter: filterAsked, keyword, sort: sortAsked, offset, size }) => {
          const query = { offset, size, ...(sortAsked !== undefined && { sort: sortAsked }) };
          const search = readSearch(openErrata, query, { filter: filterAsked, keyword });
          const expected = modelSearch(model, search);
          for (const store of all) {
            const { rows, total } = await store.find(search);
            const found = (JSON.parse(`[${rows}]`) as { id: number }[]).map(({ id }) => id);
            expect({ ids: found, total }).toEqual(expected);
          }
        },
      ),
      { numRuns, seed: 20_261 },
    );
  };

  test('answers as the model does, whichever way is taken', async () => {
    await expect(answersAsModel(stores, 250)).resolves.toBeUndefined();
  });

  test('answers as the model does in windows', async () => {
    await expect(answersAsModel(windowStores, 150)).resolves.toBeUndefined();
  });

  test('a row is answered with every field of the list, several values as an array', async () => {
    const search = readSearch(
      errata,
      { offset: 0, size: 1 },
      { filter: "lower(bulletinId) = 'alsa-2024:1'" },
    );
    const { rows } = await new SearchStore(database).find(search);
    expect(JSON.parse(rows)).toEqual({
      id: expect.any(Number),
      title: expect.stringContaining(' update'),
      releaseDate: 1_700_000_000_000 + 14 * 86_400_000,
      bulletinId: 'ALSA-2024:1',
      severity: 'Moderate',
      binaryPkgName: ['OpenSSL', 'OpenSSL-libs', 'İstanbul'],
      category: 'bugfix',
      osVersion: ['9'],
      exploited: null,
      epss: null,
      cvss: null,
    });
    expect(Object.keys(JSON.parse(rows) as object)).toEqual(['id', ...Object.keys(errata.fields)]);
  });

  test('a total that was counted holds while nothing changes, and not a moment longer', async () => {
    const store = new SearchStore(database);
    const search = readSearch(
      errata,
      { offset: 0, size: 1 },
      { filter: "lower(title) like '%brandnew%'" },
    );
    expect((await store.find(search)).total).toBe(0);
    const row = { title: 'brandnew thing', bulletinId: 'NEW-1' };
    const entry = { key: 'NEW-1', row, detail: {}, contentHash: contentHash(row, {}) };
    const [change] = await database.transaction((tx) =>
      writeEntries(tx, errata, 'part', [entry], 3),
    );
    expect((await store.find(search)).total).toBe(1);
    expect((await store.find(search)).total).toBe(1);
    await database.transaction((tx) => withdraw(tx, errata, [change?.rowId ?? 0], 4));
    expect((await store.find(search)).total).toBe(0);
  });

  test('a KB number is found with its letters or without, the record of that name first', async () => {
    const rows = [
      kbRow('KB5034441', {}),
      kbRow('KB5035000', { supersedes: ['KB5034441'], releaseDate: 1_710_000_000_000 }),
      kbRow('5036000', { releaseDate: 1_600_000_000_000 }),
    ];
    const entries = rows.map((one) => ({
      key: one.kbId,
      row: one,
      detail: {},
      contentHash: contentHash(one, {}),
    }));
    await database.transaction((tx) => writeEntries(tx, kbs, 'part', entries, 1));
    expect(fieldOf(kbs, 'kbId').kind).toBe('identifier');
    for (const store of stores()) {
      const names = async (keyword: string) => {
        const { rows: found } = await store.find(
          readSearch(kbs, { offset: 0, size: 25 }, { keyword }),
        );
        return (JSON.parse(`[${found}]`) as { kbId: string }[]).map(({ kbId }) => kbId);
      };
      expect(await names('KB5034441')).toEqual(['KB5034441', 'KB5035000']);
      expect(await names('5034441')).toEqual(['KB5034441', 'KB5035000']);
      expect(await names(' kb5036000 ')).toEqual(['5036000']);
      expect(await names('5036000')).toEqual(['5036000']);
    }
  });
});
