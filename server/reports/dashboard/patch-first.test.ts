import { allPatchesList } from '@patch/catalogue/records/all-patches-list.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { PatchFirst } from '@patch/contract/reports/dashboard-endpoint.ts';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { writeRecords } from '../../testing/record-factories.ts';

type Row = Readonly<Record<string, unknown>>;

interface Kb {
  readonly kbId: string;
  readonly productName: string;
  readonly severity: string;
  readonly releaseDate: number | null;
  readonly superseded: boolean;
  readonly cve: readonly string[];
}

/** The CVEs of the tests, with what CISA says of them. */
const exploited: Readonly<
  Record<string, { readonly dateAdded: number; readonly ransomware: boolean }>
> = {
  'CVE-2014-1001': { dateAdded: 400 * day, ransomware: true },
  'CVE-2026-1002': { dateAdded: 900 * day, ransomware: false },
  'CVE-2026-1003': { dateAdded: 950 * day, ransomware: true },
};
const harmless = 'CVE-2026-1004';

const isExploited = ({ cve }: Kb) => cve.some((name) => Object.hasOwn(exploited, name));
const isRansomware = ({ cve }: Kb) => cve.some((name) => exploited[name]?.ransomware === true);

/** The rule of decision 084, written once more: negative when `a` is to be patched before `b`. */
function compareByRule(a: Kb, b: Kb): number {
  const later = (x: number | null, y: number | null) => (y ?? -1) - (x ?? -1);
  return (
    Number(a.superseded) - Number(b.superseded) ||
    Number(isExploited(b)) - Number(isExploited(a)) ||
    (isExploited(a) ? later(a.releaseDate, b.releaseDate) : 0) ||
    Number(isRansomware(b)) - Number(isRansomware(a)) ||
    severities.indexOf(b.severity as never) - severities.indexOf(a.severity as never) ||
    later(a.releaseDate, b.releaseDate)
  );
}

describeApp('what to patch first', (service) => {
  const { stan, now } = service;

  beforeEach(async () => {
    await service.database.script(
      'delete from stored_record; delete from record_risk; delete from record_epss; delete from vulnerability; delete from user_preference; update list_revision set listed = 0, revision = revision + 1;',
    );
    await writeCveFacts(
      service.database,
      ...Object.entries(exploited).map(([cve, facts]) => buildKevFacts(cve, facts)),
    );
  });

  const kb = (kbId: string, more: Partial<Kb> = {}): Kb => ({
    kbId,
    productName: 'Windows Server 2022',
    severity: 'Important',
    releaseDate: 1000 * day,
    superseded: false,
    cve: [harmless],
    ...more,
  });
  async function write(...kbs: readonly Kb[]): Promise<void> {
    const entries = kbs.map(({ ...row }, index) => ({ key: `${index} ${row.kbId}`, row }));
    await writeRecords(service.database, 'patch_repository', entries, now);
    await refreshStaleCves(service.database);
  }
  const rank = async (query = '') =>
    ((await stan.get(`/dashboard${query}`).json) as unknown as { patchFirst: PatchFirst })
      .patchFirst;
  const namesOf = ({ updates }: PatchFirst) => updates.map(({ row }) => row['identifier']);
  const list = async (filter: string) =>
    (await stan.post('/records/search?sort=patchFirst&size=50', { filter }).json)[
      'objList'
    ] as readonly Row[];
  const choose = (products: object) => stan.post('/preference/frame', { products }).status;

  test('begins with the newest of the exploited ones, not with what was exploited long ago', async () => {
    await write(
      kb('KB1', { cve: ['CVE-2014-1001'], severity: 'Critical', releaseDate: 10 * day }),
      kb('KB2', { cve: ['CVE-2026-1002'], severity: 'Low', releaseDate: 990 * day }),
      kb('KB3', { cve: ['CVE-2026-1003', 'CVE-2026-1002'], releaseDate: 980 * day }),
      kb('KB4', { severity: 'Critical', releaseDate: 999 * day }),
      kb('KB5', { severity: 'Critical', releaseDate: 1000 * day }),
      kb('KB6', { severity: 'Moderate', releaseDate: 1001 * day }),
      kb('KB7', { cve: ['CVE-2026-1003'], releaseDate: null }),
    );
    const ranking = await rank();
    expect(namesOf(ranking)).toEqual(['KB2', 'KB3', 'KB1', 'KB7', 'KB5', 'KB4', 'KB6']);
    // The evidence of each rank.
    expect(
      ranking.updates.map(({ exploitedCves, exploitedSince }) => [exploitedCves, exploitedSince]),
    ).toEqual([
      [1, 900 * day],
      [2, 950 * day],
      [1, 400 * day],
      [1, 950 * day],
      [0, null],
      [0, null],
      [0, null],
    ]);
  });

  test('never ranks a superseded record over its successor, whatever exploits it', async () => {
    const old = kb('KB1', { cve: ['CVE-2026-1003'], severity: 'Critical', superseded: true });
    await write(old, kb('KB2', { severity: 'Low', releaseDate: 1001 * day }));
    expect(namesOf(await rank())).toEqual(['KB2']);
    for (const filter of ['', 'releaseDate is not null'])
      expect((await list(filter)).map(({ identifier }) => identifier)).toEqual(['KB2', 'KB1']);
    const keyword = await stan.post('/records/search?sort=patchFirst', { keyword: 'windows' }).json;
    expect((keyword['objList'] as readonly Row[]).map(({ identifier }) => identifier)).toEqual([
      'KB2',
      'KB1',
    ]);
  });

  test('is the same on the dashboard, in the list and by the rule for random records', async () => {
    await service.database.script(
      "insert into feed_part (source, part, feed_version, read_time) values ('kev', 'all', 1, 1) on conflict do nothing",
    );
    const anyKb = fc.record({
      severity: fc.constantFrom(...severities),
      releaseDate: fc.option(fc.integer({ min: 1, max: 5 }).map((days) => days * 100 * day)),
      superseded: fc.boolean(),
      // CISA's catalogue was read: without a CVE it is unknown whether it is exploited, with others it is not.
      cve: fc.subarray([...Object.keys(exploited), harmless]),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyKb, { minLength: 2, maxLength: 14, size: 'max' }),
        async (some) => {
          await service.database.script(
            'delete from stored_record; delete from record_risk; update list_revision set listed = 0, revision = revision + 1;',
          );
          const kbs = some.map((each, index) => kb(`KB${100 + index}`, each));
          await write(...kbs);
          const listed = await list('');
          const found = listed.map(({ identifier }) =>
            kbs.find(({ kbId }) => kbId === identifier),
          ) as readonly Kb[];
          expect(found).toHaveLength(kbs.length);
          for (const [index, next] of found.slice(1).entries())
            expect(compareByRule(found[index] ?? next, next)).toBeLessThanOrEqual(0);
          const current = found.filter(({ superseded }) => !superseded);
          expect(namesOf(await rank())).toEqual(current.slice(0, 10).map(({ kbId }) => kbId));
        },
      ),
      { numRuns: 25, seed: 20_261_129 },
    );
  });

  test('ranks the chosen products, and counts the others behind a link', async () => {
    await write(
      kb('KB1', { productName: 'Windows Server 2012', cve: ['CVE-2026-1003'] }),
      kb('KB2', { productName: 'Windows Server 2022' }),
      kb('KB2', { productName: 'Windows Server 2012' }),
      kb('KB3', { productName: 'Windows Server 2022', superseded: true }),
    );
    await writeRecords(
      service.database,
      'almalinux_patch',
      [{ key: 'a', row: { bulletinId: 'ALSA-1', severity: 'Low', releaseDate: day } }],
      now,
    );
    expect(await rank()).toMatchObject({ own: null, others: null, figure: { totalCount: 3 } });
    expect(await choose({ from: 'chosen', products: ['windows server 2022', 'Amiga OS'] })).toBe(
      200,
    );
    const mine = await rank();
    expect(mine.own).toEqual({
      from: 'chosen',
      names: ['Windows Server 2022'],
      unmatched: ['Amiga OS'],
      further: 0,
    });
    expect(namesOf(mine)).toEqual(['KB2']);
    // KB1 of another product, and ALSA-1, which names none.
    expect([mine.figure.totalCount, mine.others?.totalCount]).toEqual([1, 2]);
    const others = filterText(allPatchesList, mine.others?.criteria ?? [], {
      now,
      timeZone: 'UTC',
    });
    expect((await list(others)).map(({ identifier }) => identifier)).toEqual(['KB1', 'ALSA-1']);
    expect(namesOf(await rank('?products=all'))).toEqual(['KB1', 'KB2', 'ALSA-1']);
    expect(await rank('?products=all')).toMatchObject({ own: null, others: null });
  });

  test('leaves out what is superseded for the chosen product, though current for another', async () => {
    const server = 'Windows Server 2022';
    const stack = 'Azure Stack HCI';
    await write(
      kb('KB1', { productName: server, superseded: true, cve: ['CVE-2026-1003'] }),
      kb('KB1', { productName: stack, cve: ['CVE-2026-1003'] }),
      kb('KB2', { productName: server }),
    );
    expect(namesOf(await rank())).toEqual(['KB1', 'KB2']);
    await choose({ from: 'chosen', products: [server] });
    const mine = await rank();
    expect(namesOf(mine)).toEqual(['KB2']);
    const { criteria } = mine.figure;
    const shown = await list(filterText(allPatchesList, criteria, { now, timeZone: 'UTC' }));
    expect(shown.map(({ identifier }) => identifier)).toEqual(['KB2']);
    await choose({ from: 'chosen', products: [stack] });
    expect(namesOf(await rank())).toEqual(['KB1']);
    await choose({ from: 'chosen', products: [server, stack] });
    expect(namesOf(await rank())).toEqual(['KB1', 'KB2']);
  });

  test('finds by supersededFor what every record for these products says, for random records', async () => {
    const products = ['Windows 10', 'Windows 11', 'Windows Server 2022'];
    const anyKb = fc.record({
      kbId: fc.constantFrom('KB1', 'KB2', 'KB3', 'KB4'),
      productName: fc.constantFrom(...products),
      superseded: fc.boolean(),
    });
    const chosen = fc.subarray(products, { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyKb, { minLength: 2, maxLength: 10, size: 'max' }),
        chosen,
        async (some, names) => {
          await service.database.script(
            'delete from stored_record; delete from record_risk; update list_revision set listed = 0, revision = revision + 1;',
          );
          await write(...some.map(({ kbId, ...each }) => kb(kbId, each)));
          const ofNames = Map.groupBy(
            some.filter(({ productName }) => names.includes(productName)),
            ({ kbId }) => kbId,
          );
          const expected = [...ofNames].flatMap(([kbId, records]) =>
            records.every(({ superseded }) => superseded) ? kbId : [],
          );
          const found = async (values: readonly string[]) =>
            (
              await list(
                `lower(supersededFor) in (${values.map((name) => `'${name.toLowerCase()}'`).join(',')})`,
              )
            )
              .map(({ identifier }) => String(identifier))
              .toSorted();
          expect(await found(names)).toEqual(expected.toSorted());
          const others = await list(
            `lower(supersededFor) not in (${names.map((name) => `'${name.toLowerCase()}'`).join(',')})`,
          );
          const all = new Set(some.map(({ kbId }) => kbId));
          expect(new Set(others.map(({ identifier }) => identifier))).toEqual(
            new Set([...all].filter((name) => !expected.includes(name))),
          );
        },
      ),
      { numRuns: 25, seed: 20_261_129 },
    );
  });

  test('ranks all products when none of the chosen ones is known, and says so', async () => {
    await write(kb('KB1'));
    await choose({ from: 'chosen', products: ['Amiga OS'] });
    const unknown = await rank();
    expect(unknown.own).toMatchObject({ names: [], unmatched: ['Amiga OS'] });
    expect(unknown.others).toBeNull();
    expect(namesOf(unknown)).toEqual(['KB1']);
    await choose({ from: 'machines', products: [] });
    expect((await rank()).own).toEqual({ from: 'machines', names: [], unmatched: [], further: 0 });
  });

  test('refuses other products than all and mine, and names these', async () => {
    const reply = stan.get('/dashboard?products=some');
    expect(await reply.status).toBe(422);
    expect(String((await reply.json)['userMessage'])).toMatch(/all.*mine/);
  });
});
