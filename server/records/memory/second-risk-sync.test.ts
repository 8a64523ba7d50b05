/** Facets, lists, pages, exports and the dashboard agree with the catalogue that CISA published, also after its next edition. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { kevFeed } from '@patch/catalogue/risk/kev-feed.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import { beforeAll, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { SyncBench } from '../../ingest/testing/sync-bench.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { writeRecords } from '../../testing/record-factories.ts';

const address = 'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const cves = Array.from({ length: 40 }, (_, n) => `CVE-2026-${1000 + n}`);

interface Edition {
  readonly isListed: (n: number) => boolean;
  readonly isRansomware: (n: number) => boolean;
}
/** By the index of the CVE. The editions differ in less than a withdrawal that is quarantined. */
const editions: readonly Edition[] = [
  { isListed: (n) => n < 30, isRansomware: (n) => n % 2 === 0 },
  { isListed: (n) => n > 0 && n < 35, isRansomware: (n) => n % 3 === 0 },
];

/** The value of a flag by the name of the record; undefined: not known. */
type Flags = ReadonlyMap<string, boolean | undefined>;

/** Ids of records and of CVEs differ. */
const recordCves = (n: number) => [n + 20, n + 21].flatMap((index) => cves[index] ?? []);
const records = Array.from({ length: 20 }, (_, n) => n);
const isSuperseded = (n: number) => (n % 4 === 0 ? undefined : n % 4 === 1);

function expectedFlags({ isListed, isRansomware }: Edition) {
  const byCve = new Map(cves.map((cve, n) => [cve, isListed(n) ? isRansomware(n) : undefined]));
  // Records name the CVEs from 20 on.
  const mentioned = [...byCve].filter((_, n) => isListed(n) || n >= 20);
  const anyOf = (n: number, isMeant: (value: boolean | undefined) => boolean) =>
    recordCves(n).some((cve) => isMeant(byCve.get(cve)));
  const ofRecords = (name: (n: number) => string, value: (n: number) => boolean | undefined) =>
    new Map(records.map((n) => [name(n), value(n)]));
  const erratum = (n: number) => `ALSA-2026:${n}`;
  const kb = (n: number) => `KB50${String(n).padStart(5, '0')}`;
  const isExploited = (n: number) => anyOf(n, (value) => value !== undefined);
  const isUsed = (n: number) => anyOf(n, (value) => value === true) || undefined;
  const both = (value: (n: number) => boolean | undefined, ofKb = value) =>
    new Map([...ofRecords(erratum, value), ...ofRecords(kb, ofKb)]);
  const flags: readonly (readonly [ListKey, string, string, Flags])[] = [
    // CISA's Unknown rules nothing out.
    [
      'vulnerabilities',
      'ransomware',
      'cve',
      new Map(mentioned.map(([cve, value]) => [cve, value || undefined])),
    ],
    ['almalinux_patch', 'exploited', 'bulletinId', ofRecords(erratum, isExploited)],
    ['patch_repository', 'exploited', 'kbId', ofRecords(kb, isExploited)],
    ['patch_repository', 'superseded', 'kbId', ofRecords(kb, isSuperseded)],
    ['all_patches', 'exploited', 'identifier', both(isExploited)],
    ['all_patches', 'ransomware', 'identifier', both(isUsed)],
    ['all_patches', 'superseded', 'identifier', both(() => undefined, isSuperseded)],
  ];
  return flags;
}

const titleOf = (value: boolean | undefined) => (value === undefined ? 'is null' : `= ${value}`);

describeApp('the flags of risk', (service) => {
  const { stan } = service;
  let bench: SyncBench;

  beforeAll(async () => {
    bench = await SyncBench.open(service.database);
    await writeRecords(
      service.database,
      'almalinux_patch',
      records.map((n) => ({
        key: `${n}`,
        row: { bulletinId: `ALSA-2026:${n}`, title: 'An update' },
        detail: { cve: recordCves(n) },
      })),
    );
    await writeRecords(
      service.database,
      'patch_repository',
      records.map((n) => {
        const kbId = `KB50${String(n).padStart(5, '0')}`;
        const superseded = isSuperseded(n) ?? null;
        return { key: `${n}`, row: { kbId, name: kbId, superseded, cve: recordCves(n) } };
      }),
    );
    return () => bench.close();
  });

  async function sync(day: number, { isListed, isRansomware }: Edition): Promise<void> {
    const listed = cves.flatMap((cveID, n) =>
      isListed(n)
        ? {
            cveID,
            vendorProject: 'Vendor',
            product: 'Product',
            vulnerabilityName: `A flaw ${n}`,
            dateAdded: '2026-08-01',
            shortDescription: 'Words',
            requiredAction: 'Apply updates',
            dueDate: '2026-08-22',
            knownRansomwareCampaignUse: isRansomware(n) ? 'Known' : 'Unknown',
            notes: '',
            cwes: [],
          }
        : [],
    );
    await bench.publish(address, {
      title: 'CISA Catalog of Known Exploited Vulnerabilities',
      catalogVersion: `2026.08.0${day}`,
      dateReleased: `2026-08-0${day}T12:00:00.0000Z`,
      count: listed.length,
      vulnerabilities: listed,
    });
    expect(await bench.sync(kevFeed, { source: 'kev' })).toMatchObject({ state: 'succeeded' });
    await refreshStaleCves(service.database);
  }

  const namesOf = (rows: unknown, name: string) =>
    (rows as readonly Readonly<Record<string, unknown>>[]).map((row) => String(row[name]));

  /** Returns what each way shows of a condition. */
  async function ask(key: ListKey, name: string, filter: string) {
    const { searchPath } = getList(key);
    const list = await stan.post(`${searchPath}?size=100`, { filter }).json;
    const pages: string[] = [];
    for (let offset = 0; offset < Number(list['totalCount']); offset += 7) {
      const page = await stan.post(`${searchPath}?offset=${offset}&size=7&sort=${name}`, { filter })
        .json;
      pages.push(...namesOf(page['objList'], name));
    }
    const ticket = await stan.post('/export', {
      list: key,
      format: 'json',
      columns: [name],
      search: { filter },
    }).json;
    const file = await service.anyone.get(String(ticket['path']));
    return {
      total: list['totalCount'],
      list: namesOf(list['objList'], name).toSorted(),
      pages: pages.toSorted(),
      exported: namesOf(JSON.parse(file.bytes.toString()), name).toSorted(),
    };
  }

  test.each([1, 2])('are the same everywhere after risk sync %i', async (day) => {
    const edition = editions[day - 1] as Edition;
    await sync(day, edition);
    for (const [key, field, name, flags] of expectedFlags(edition)) {
      const { facets } = await stan.post(`${getList(key).searchPath}/summary`, {}).json;
      const values = ((facets as Record<string, unknown>)[field] ?? []) as readonly {
        readonly value: unknown;
        readonly count: number;
      }[];
      for (const value of [true, false, undefined]) {
        const isFacet = (getList(key).facets as readonly string[]).includes(field);
        const counted = values.find((facet) => facet.value === (value ?? null))?.count ?? 0;
        const names = [...flags].flatMap(([own, flag]) => (flag === value ? own : [])).toSorted();
        const filter = `${field} ${titleOf(value)}`;
        const shown = await ask(key, name, filter);
        expect({ key, filter, ...shown, facet: isFacet ? counted : null }).toEqual({
          key,
          filter,
          total: names.length,
          list: names,
          pages: names,
          exported: names,
          facet: isFacet ? names.length : null,
        });
      }
    }
  });

  test('are those of the dashboard', async () => {
    const figures = collectFigures(await stan.get('/dashboard').json);
    const exploited = figures.filter(({ criteria }) =>
      JSON.stringify(criteria).includes('exploited'),
    );
    expect(exploited.length).toBeGreaterThan(0);
    for (const { list: key, criteria, totalCount } of exploited) {
      const list = getList(key);
      const filter = filterText(list, criteria as never, { now: service.now, timeZone: 'UTC' });
      const found = await stan.post(`${list.searchPath}?size=1`, { filter }).json;
      expect([filter, found['totalCount']]).toEqual([filter, totalCount]);
    }
  });
});

interface ShownFigure {
  readonly list: ListKey;
  readonly criteria: readonly unknown[];
  readonly totalCount: number;
}

function collectFigures(value: unknown): readonly ShownFigure[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.hasOwn(value, 'criteria') && Object.hasOwn(value, 'totalCount')
    ? [value as ShownFigure]
    : Object.values(value).flatMap(collectFigures);
}
