import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { appWithRoutes, callerOf } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords, writeRows } from '../../testing/record-factories.ts';
import { buildSearchService } from '../search/testing/build-search-service.ts';
import { compareDistance, createFormPattern } from './nearest-identifier-store.ts';
import { sharedIdentifiersRoutes } from './shared-identifiers-routes.ts';

test.each([
  ['kb5034441', 'kb5034999', true],
  ['kb5034441', 'kb50344410', false],
  ['alsa-2024:1691', 'alsa-2023:0001', true],
  ['a.b(1)', 'a.b(2)', true],
  ['a.b(1)', 'axb(2)', false],
])('compares the forms of %s and %s: %s', (a, b, same) => {
  expect(new RegExp(createFormPattern(a) ?? '').test(b)).toBe(same);
});

test('returns no form for a text without a number', () => {
  expect(createFormPattern('openssl')).toBeNull();
});

test('orders identifiers by the distance of their first number, then the next', () => {
  const target = 'cve-2024-3094';
  const others = ['cve-2023-3094', 'cve-2024-3000', 'cve-2024-3095', 'cve-2024-3093'];
  expect(others.toSorted((a, b) => compareDistance(target, a, b))).toEqual([
    'cve-2024-3093',
    'cve-2024-3095',
    'cve-2024-3000',
    'cve-2023-3094',
  ]);
});

describeWithDatabase('nearest identifiers', (open) => {
  let database: Database;
  let app: FastifyInstance;
  beforeAll(async () => {
    database = await open();
    const cve = ['CVE-2024-3091', 'CVE-2024-30944'];
    await writeRows(
      database,
      'patch_repository',
      [5_034_100, 5_034_439, 5_034_440, 5_034_444, 50_344_420].map((n) => ({
        kbId: `KB${n}`,
        cve,
      })),
    );
    const [, withdrawn] = await writeRows(
      database,
      'kb_repository',
      [5_034_442, 5_034_443].map((n) => ({ kbId: `${n}`, title: 'Update' })),
    );
    await withdrawRecords(database, 'kb_repository', [withdrawn]);
    const errata = [
      ['ALSA-2024:1690', 'CVE-2024-3095'],
      ['ALSA-2023:1691', 'CVE-2023-3094'],
    ] as const;
    await writeRecords(
      database,
      'almalinux_patch',
      errata.map(([key, id]) => ({ key, row: { bulletinId: key }, detail: { cve: [id] } })),
    );
    app = await appWithRoutes((answer) =>
      sharedIdentifiersRoutes(answer, {
        database,
        searchService: buildSearchService(database),
      }),
    );
  });
  const caller = callerOf(() => app);
  const nearest = async (identifier: string) => {
    const reply = caller.get(`/identifier/${encodeURIComponent(identifier)}/nearest`);
    return (await reply.json) as unknown as {
      lists: string[];
      nearest: { identifier: string; list: string }[];
    };
  };
  const namesNear = async (identifier: string) =>
    (await nearest(identifier)).nearest.map((each) => each.identifier);

  test.each(['KB5034441', '5034441', 'kb 5034441'])(
    'returns the neighbours of %s in all lists of KBs, nearest first, without withdrawn records',
    async (typed) => {
      expect(await namesNear(typed)).toEqual([
        'KB5034440',
        'KB5034442',
        'KB5034439',
        'KB5034444',
        'KB5034100',
      ]);
    },
  );

  test('returns the neighbours of a bulletin in the spelling of the vendor, with their list', async () => {
    expect((await nearest('alsa-2024:1691')).nearest).toEqual([
      { identifier: 'ALSA-2024:1690', list: 'almalinux_patch' },
      { identifier: 'ALSA-2023:1691', list: 'almalinux_patch' },
    ]);
  });

  test('returns CVEs in records that differ in the last digits', async () => {
    expect((await nearest('CVE-2024-3094')).nearest).toEqual([
      { identifier: 'CVE-2024-3095', list: 'almalinux_patch' },
      { identifier: 'CVE-2024-3091', list: 'patch_repository' },
    ]);
    expect(await namesNear('CVE-2024-3012')).toEqual(['CVE-2024-3091', 'CVE-2024-3095']);
    expect(await namesNear('CVE-2019-1')).toEqual([]);
  });

  test('returns the searched lists, without those of the service itself', async () => {
    const { lists, nearest: near } = await nearest('open"ssl%');
    expect(lists).toEqual(expect.arrayContaining(['patch_repository', 'debian_patch']));
    expect(lists).not.toContain('floto_user');
    expect(near).toEqual([]);
  });
});
