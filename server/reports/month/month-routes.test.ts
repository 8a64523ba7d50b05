/** Months of random records: each number is the total of its list, and what is counted is what was written. */
import { type CatalogueList, getList, type ListKey } from '@patch/catalogue/lists.ts';
import { monthKeyOf } from '@patch/contract/dates/calendar-month.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import type { Month, MonthOfSource } from '@patch/contract/reports/month-endpoints.ts';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { writeRecords } from '../../testing/record-factories.ts';

function figuresIn(value: unknown): readonly Figure[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Object.hasOwn(value, 'criteria') && Object.hasOwn(value, 'totalCount'))
    return [value as Figure];
  return Object.values(value).flatMap(figuresIn);
}

const products = ['Windows 10', 'Windows 11', "Server's, 2022", 'Office * 2019'];
const first = Date.UTC(2026, 3, 30, 22);
const randomRecords = fc.array(
  fc.record({
    list: fc.constantFrom<ListKey>('patch_repository', 'almalinux_patch', 'thirdparty_patch'),
    name: fc.integer({ min: 1, max: 12 }),
    product: fc.constantFrom(...products),
    severity: fc.constantFrom('Critical', 'Important', null),
    superseded: fc.constantFrom(true, false, null),
    publiclyDisclosed: fc.constantFrom(true, false, null),
    // Hours around the ends of April, May and June.
    releaseDate: fc.integer({ min: 0, max: 24 * 33 }).map((hours) => first + hours * 3_600_000),
  }),
  { minLength: 1, maxLength: 40 },
);
type RandomRecord = Readonly<
  typeof randomRecords extends fc.Arbitrary<(infer Record)[]> ? Record : never
>;

function toRow({ list, name, product, releaseDate, ...record }: RandomRecord) {
  if (list === 'patch_repository')
    return { kbId: `KB${name}`, name: `KB${name}`, productName: product, releaseDate, ...record };
  const { severity } = record;
  if (list === 'almalinux_patch')
    return { bulletinId: `ALSA-${name}`, osVersion: ['AlmaLinux 9'], severity, releaseDate };
  return { uuid: `app-${name}`, name: `App ${name}`, manufacturer: 'Maker', releaseDate };
}

describeApp('months', (service) => {
  const { stan } = service;
  beforeEach(() =>
    service.database.script(
      'delete from stored_record; delete from record_risk; delete from record_epss; update list_revision set listed = 0, revision = revision + 1;',
    ),
  );

  const write = async (records: readonly RandomRecord[]) => {
    for (const list of new Set(records.map((record) => record.list))) {
      const own = records.filter((record) => record.list === list);
      // A record of a key once: a KB for a product, an advisory, an application.
      const byKey = new Map(
        own.map((record) => [
          list === 'patch_repository' ? `${record.name} ${record.product}` : String(record.name),
          record,
        ]),
      );
      await writeRecords(
        service.database,
        list,
        [...byKey].map(([key, record]) => ({ key, row: toRow(record) })),
        service.now,
      );
    }
  };
  const askMonth = async (key: string, query = '') =>
    (await stan.get(`/months/${key}${query}`).json) as unknown as Month;
  const askSource = async (key: string, source: string, query = '') =>
    (await stan.get(`/months/${key}/sources/${source}${query}`).json) as unknown as MonthOfSource;

  async function expectProven(value: unknown): Promise<void> {
    for (const { list, criteria, totalCount } of figuresIn(value)) {
      const definition: CatalogueList = getList(list as never);
      const filter = filterText(definition, criteria, { now: service.now, timeZone: 'UTC' });
      const found = await stan.post(`${definition.searchPath}?size=1`, { filter }).json;
      expect(found['totalCount'], filter).toBe(totalCount);
    }
  }

  test('counts what was released in a month, each number equal to its list', async () => {
    await fc.assert(
      fc.asyncProperty(randomRecords, async (records) => {
        await service.database.script(
          'delete from stored_record; update list_revision set listed = 0, revision = revision + 1;',
        );
        await write(records);
        const released = await service.rows(
          'select release_date, list, coalesce(update_key, list || id) as update from stored_record where not folded',
        );
        for (const key of ['2026-04', '2026-05', '2026-06']) {
          const month = await askMonth(key);
          const own = released.filter((row) => monthKeyOf(Number(row['release_date'])) === key);
          expect(month.figure.totalCount).toBe(own.length);
          await expectProven(month);
          for (const { source, figure } of month.sources) {
            const found = await askSource(key, source);
            expect(found.figure).toEqual(figure);
            expect(found.updates).toHaveLength(figure.totalCount);
            for (const { figure: product, updates } of found.products)
              expect(updates).toHaveLength(product.totalCount);
            await expectProven(found);
          }
        }
      }),
      { numRuns: 8 },
    );
  });

  const may = Date.UTC(2026, 4, 12);
  const kb = (name: number, product: string, releaseDate = may): RandomRecord => ({
    list: 'patch_repository',
    name,
    product,
    severity: 'Critical',
    superseded: null,
    publiclyDisclosed: null,
    releaseDate,
  });

  test('shows all products to a caller who chose nothing where no machine reports', async () => {
    await write([kb(1, 'Windows 10'), kb(2, 'Windows 11')]);
    const month = await askMonth('2026-05', '?products=mine');
    expect(month.own).toBeNull();
    expect(month.figure.totalCount).toBe(2);
  });

  test('shows only the products that the caller chose, and says which are not known', async () => {
    await write([kb(1, 'Windows 10'), kb(2, 'Windows 11'), kb(3, "Server's, 2022")]);
    const choice = { from: 'chosen', products: ['windows 10', "Server's, 2022", 'OS/2'] };
    await stan.post('/preference/frame', { products: choice });
    const month = await askMonth('2026-05', '?products=mine');
    expect(month.own).toEqual({
      from: 'chosen',
      names: ["Server's, 2022", 'Windows 10'],
      unmatched: ['OS/2'],
      further: 0,
    });
    expect([month.figure.totalCount, month.everything.totalCount]).toEqual([2, 3]);
    await expectProven(month);
    const found = await askSource('2026-05', 'wsus', '?products=mine');
    expect(found.products.flatMap(({ names }) => names).toSorted()).toEqual(month.own?.names);
    await expectProven(found);
  });

  test('lists updates that name no product after the products, though they come first', async () => {
    const row = { kbId: 'KB1', name: 'KB1', severity: 'Critical', releaseDate: may + day };
    await writeRecords(service.database, 'patch_repository', [{ key: 'one', row }], service.now);
    await write([kb(2, 'Windows 10', may + 1000), kb(3, 'Windows 11')]);
    const found = await askSource('2026-05', 'wsus');
    expect(found.updates[0]?.row['identifier']).toBe('KB1');
    expect(found.products.map(({ names }) => names)).toEqual([['Windows 10'], ['Windows 11'], []]);
    await expectProven(found);
  });

  test('tells what changed and what was withdrawn since a time', async () => {
    await write([kb(1, 'Windows 10'), kb(2, 'Windows 11'), kb(3, 'Windows 11')]);
    service.now += day;
    const since = service.now;
    const row = { ...toRow(kb(2, 'Windows 11')), impact: 'Spoofing' };
    await writeRecords(service.database, 'patch_repository', [{ key: '2 Windows 11', row }], since);
    await write([kb(4, 'Windows 11')]);
    await service.database.query(
      "update stored_record set withdrawn_time = $1 where natural_key = '3 Windows 11'",
      [since],
    );
    const { difference, withdrawn } = await askMonth('2026-05', `?since=${since}`);
    expect(difference?.added.totalCount).toBe(1);
    expect(difference?.changed.records.map(({ name }) => name)).toEqual(['KB2']);
    expect(withdrawn.records.map(({ name }) => name)).toEqual(['KB3']);
    expect((await askMonth('2026-06', `?since=${since}`)).withdrawn.totalCount).toBe(0);
    const file = await stan.get(`/months/2026-05/file?format=md&since=${since}`);
    expect(file.bytes.toString()).toMatch(/^## Changed since .* UTC \(1\)\n\n- KB2 /m);
  });

  test('says which source was never synced, and refuses what is no month', async () => {
    const { feeds } = await askMonth('2026-05');
    expect(new Set(feeds.map(({ state }) => state))).toEqual(new Set(['never']));
    expect(await stan.get('/months/2026-13').outcome).toBe('422 invalid_input');
    expect(await stan.get('/months/2026-05?since=-1').outcome).toBe('422 invalid_input');
  });

  test('writes Markdown and CSV in which words of vendors stay words', async () => {
    const record = kb(1, 'Windows | [10](https://evil.example)');
    await writeRecords(
      service.database,
      'patch_repository',
      [{ key: 'one', row: { ...toRow(record), name: '=cmd|<b>' } }],
      service.now,
    );
    const markdown = (await stan.get('/months/2026-05/file?format=md')).bytes.toString();
    const moment = `${new Date(service.now).toISOString().slice(0, 10)} `;
    expect(markdown).toContain(`# Updates of May 2026\n\nAs of ${moment}`);
    expect(markdown).toContain(' UTC. All products.\n');
    expect(markdown).not.toContain('](https://evil');
    expect(markdown).not.toContain('<b>');
    const csv = (await stan.get('/months/2026-05/file?format=csv')).bytes.toString();
    expect(csv.split('\r\n')[1]).toContain('KB1');
    expect(csv).not.toMatch(/(?:^|,)"?=cmd/m);
  });
});
