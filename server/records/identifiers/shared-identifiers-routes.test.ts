import type { ListKey } from '@patch/catalogue/lists.ts';
import type { SharingList } from '@patch/contract/records/shared-identifier-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { appWithRoutes, callerOf } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import {
  type RecordToWrite,
  withdrawRecords,
  writeRecords,
} from '../../testing/record-factories.ts';
import { findRecordsByNames } from '../criteria/records-by-name-store.ts';
import { buildSearchService } from '../search/testing/build-search-service.ts';
import { sharedIdentifiersRoutes } from './shared-identifiers-routes.ts';

const day = 86_400_000;

const PlanRow = z.object({ 'QUERY PLAN': z.string() });

describeWithDatabase('shared identifiers', (open) => {
  let app: FastifyInstance;
  let database: Database;
  const ids = new Map<string, number>();
  const write = async (list: ListKey, records: readonly RecordToWrite[]) => {
    for (const [key, id] of await writeRecords(database, list, records)) ids.set(key, id);
  };
  const caller = callerOf(() => app);
  const findByName = async (identifier: string) => {
    const { json } = await caller.get(`/identifier/${encodeURIComponent(identifier)}`);
    const lists = json['lists'] as SharingList[];
    const spelt = json['identifier'];
    return {
      spelt,
      lists,
      found: lists.map(({ list, records }) => [list, ...records.map(({ identity }) => identity)]),
    };
  };
  const sharing = async (list: string, key: string) => {
    const { json } = await caller.get(`/sharing/${list}/${ids.get(key)}`);
    return json as unknown as { identifiers: string[]; lists: SharingList[] };
  };

  beforeAll(async () => {
    database = await open();
    app = await appWithRoutes((answer) =>
      sharedIdentifiersRoutes(answer, {
        database,
        searchService: buildSearchService(database),
      }),
    );
    await write('patch_repository', [
      {
        key: 'kb one',
        row: {
          kbId: 'KB5034441',
          name: '2024-01 Update (KB5034441)',
          severity: 'Important',
          releaseDate: 1 * day,
          cve: ['CVE-2024-20666'],
        },
        detail: { uuid: '0AB1C2D3-0000-5000-8000-00000000ABCD' },
      },
      {
        key: 'kb two',
        row: { kbId: 'KB5035000', name: 'Newer', releaseDate: 5 * day, supersedes: ['KB5034441'] },
      },
    ]);
    await write('kb_repository', [
      { key: 'base', row: { kbId: '5034441', title: 'Windows RE', releaseDate: 2 * day } },
    ]);
    await write('almalinux_patch', [
      {
        key: 'alsa',
        row: {
          title: 'Important: xz security update',
          bulletinId: 'ALSA-2024:1691',
          binaryPkgName: ['xz', 'xz-libs'],
          releaseDate: 3 * day,
        },
        detail: { cve: ['CVE-2024-3094', 'CVE-2024-20666'] },
      },
      {
        key: 'longer',
        row: { title: 'Names CVE-2024-3094 in words', bulletinId: 'ALSA-2024:9' },
        detail: { cve: ['CVE-2024-30941'] },
      },
    ]);
    await write('debian_patch', [
      {
        key: 'dsa',
        row: {
          title: 'DSA-5649-1 xz-utils',
          bulletinId: 'DSA-5649-1',
          priority: 'high',
          releaseDate: 4 * day,
        },
        detail: { cve: ['CVE-2024-3094'] },
      },
      {
        key: 'gone',
        row: { title: 'gone', bulletinId: 'DSA-1-1' },
        detail: { cve: ['CVE-2024-3094'] },
      },
    ]);
    await withdrawRecords(database, 'debian_patch', [ids.get('gone')]);
    await buildRecordIndex({ database });
  });

  test('finds the records of every list with a CVE, ignoring case and blanks, and not those with a longer CVE', async () => {
    for (const typed of ['CVE-2024-3094', ' cve-2024-3094 ']) {
      expect(await findByName(typed)).toEqual({
        spelt: 'CVE-2024-3094',
        found: [
          ['almalinux_patch', 'ALSA-2024:1691'],
          ['debian_patch', 'DSA-5649-1'],
        ],
        lists: [
          {
            list: 'almalinux_patch',
            totalCount: 1,
            records: [
              {
                id: ids.get('alsa'),
                identity: 'ALSA-2024:1691',
                title: 'Important: xz security update',
                severity: null,
                releaseDate: 3 * day,
                own: false,
                shares: ['CVE-2024-3094'],
              },
            ],
          },
          {
            list: 'debian_patch',
            totalCount: 1,
            records: [
              expect.objectContaining({
                identity: 'DSA-5649-1',
                title: 'DSA-5649-1 xz-utils',
                releaseDate: 4 * day,
              }),
            ],
          },
        ],
      });
    }
  });

  test.each(['KB5034441', 'kb5034441', '5034441', ' KB 5034441'])(
    'finds %s with or without its letters, the record with that name first',
    async (typed) => {
      const { spelt, found, lists } = await findByName(typed);
      expect(spelt).toBe('KB5034441');
      expect(found).toEqual([
        ['patch_repository', 'KB5034441', 'KB5035000'],
        ['kb_repository', '5034441'],
      ]);
      const records = lists.flatMap((list) => list.records);
      expect(records.map(({ own, shares }) => [own, ...shares])).toEqual([
        [true, 'KB5034441'],
        [false, 'KB5034441'],
        [true, 'KB5034441'],
      ]);
    },
  );

  test('finds bulletins, ids and package names', async () => {
    expect(await findByName('alsa-2024:1691')).toMatchObject({
      spelt: 'ALSA-2024:1691',
      found: [['almalinux_patch', 'ALSA-2024:1691']],
    });
    expect((await findByName('dsa-5649-1')).found).toEqual([['debian_patch', 'DSA-5649-1']]);
    expect((await findByName('0ab1c2d3-0000-5000-8000-00000000abcd')).found).toEqual([
      ['patch_repository', 'KB5034441'],
    ]);
    expect((await findByName('XZ-libs')).found).toEqual([['almalinux_patch', 'ALSA-2024:1691']]);
    expect((await findByName('xz-lib')).found).toEqual([]);
    for (const nothing of [' ', '%', 'a%', "o'neil", '\\', '"', 'KB0', 'CVE-2024-309'])
      expect((await findByName(nothing)).found).toEqual([]);
  });

  test('returns the withdrawn records of an identifier that no listed record has', async () => {
    const { json } = await caller.get('/identifier/dsa-1-1');
    expect(json).toEqual({
      identifier: 'dsa-1-1',
      lists: [],
      withdrawn: [
        {
          list: 'debian_patch',
          id: ids.get('gone'),
          identity: 'DSA-1-1',
          title: 'gone',
          withdrawnTime: 2,
        },
      ],
    });
    expect((await caller.get('/identifier/CVE-2024-3094')).json).not.toHaveProperty('withdrawn');
    expect((await caller.get('/identifier/DSA-9999-1')).json).not.toHaveProperty('withdrawn');
  });

  test('returns the urgency where a vendor states no severity', async () => {
    const { lists } = await findByName('DSA-5649-1');
    expect(lists[0]?.records[0]?.severity).toBe('high');
  });

  test('returns the records of other lists that share identifiers with a record', async () => {
    const { identifiers, lists } = await sharing('patch_repository', 'kb one');
    expect(identifiers).toEqual(['KB5034441', 'CVE-2024-20666']);
    expect(lists).toMatchObject([
      {
        list: 'kb_repository',
        totalCount: 1,
        records: [{ identity: '5034441', title: 'Windows RE', shares: ['KB5034441'] }],
      },
      {
        list: 'almalinux_patch',
        totalCount: 1,
        records: [{ identity: 'ALSA-2024:1691', shares: ['CVE-2024-20666'] }],
      },
    ]);
    // A withdrawn record has shared records, but is not a shared record of others.
    expect((await sharing('debian_patch', 'gone')).lists).toMatchObject([
      { list: 'almalinux_patch', totalCount: 1 },
    ]);
    expect(await sharing('almalinux_patch', 'longer')).toEqual({
      identifiers: ['CVE-2024-30941'],
      lists: [],
    });
  });

  test('returns 404 for unknown records and for lists that are not published', async () => {
    for (const path of ['patch_repository/999', 'nothing/1', 'floto_user/1'])
      expect(await caller.get(`/sharing/${path}`).outcome).toBe('404 not_found');
    expect(await caller.get('/sharing/patch_repository/x').status).toBe(422);
  });

  describe('with many records', () => {
    beforeAll(async () => {
      const cves = Array.from({ length: 80 }, (_, index) => `CVE-2023-${5000 + index}`);
      await write('oracle_linux_patch', [
        { key: 'many', row: { title: 'Many', bulletinId: 'ELSA-2023-1' }, detail: { cve: cves } },
      ]);
      await write(
        'rockylinux_patch',
        cves.map((cve, index) => ({
          key: cve,
          row: {
            title: `common ${index}`,
            bulletinId: `RLSA-2023:${index}`,
            releaseDate: index % 7 === 0 ? null : index * day,
          },
          detail: { cve: index === 3 ? cves.slice(0, 9) : [cve] },
        })),
      );
    });

    test('searches the first fifty identifiers, and returns the newest ten records with five shared identifiers each', async () => {
      const { identifiers, lists } = await sharing('oracle_linux_patch', 'many');
      expect(identifiers).toHaveLength(50);
      const [{ totalCount, records } = { totalCount: 0, records: [] }] = lists;
      expect([lists.length, totalCount]).toEqual([1, 50]);
      expect(records.map(({ identity }) => identity)).toEqual(
        [48, 47, 46, 45, 44, 43, 41, 40, 39, 38].map((index) => `RLSA-2023:${index}`),
      );
      const [{ records: ofOne } = { records: [] }] = (
        await sharing('rockylinux_patch', 'CVE-2023-5003')
      ).lists;
      expect(ofOne.map(({ shares }) => shares)).toEqual([
        [0, 1, 2, 3, 4].map((index) => `CVE-2023-${5000 + index}`),
      ]);
    });

    test('uses indexes and never scans all records', async () => {
      const plans: string[] = [];
      const explained = {
        query: async (text: string, values: readonly unknown[] = []) => {
          const rows = await queryRows(database, PlanRow, `explain ${text}`, values);
          plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
          return database.query(text, values);
        },
      };
      const insertMany = `insert into stored_record (natural_key, part, content_hash, own, created_time, updated_time, keyword, identifier, identifier_folded, list, names)
         select 'many ' || n, '', '', '{}', 1, 1, '', 'CESA-' || n, 'cesa-' || n, 'centos_patch', 'cesa-' || n || E'\\nevery kernel\\ncve-2022-' || n from generate_series(10000, 40000) as n`;
      await database.script(insertMany);
      const of = async (...names: string[]) =>
        (await findRecordsByNames(explained, names)).get('centos_patch')?.size ?? 0;
      for (const isAnalyzed of [false, true]) {
        if (isAnalyzed) await database.script('analyze stored_record');
        expect(await of('cve-2022-12345')).toBe(1);
        expect(
          await of(...Array.from({ length: 50 }, (_, index) => `cve-2022-${20_000 + index}`)),
        ).toBe(50);
        // A name in every row finds only records with that identifier, alias or title.
        expect(await of('cesa-10001', 'every kernel')).toBe(1);
        expect(await of('9')).toBe(0);
      }
      expect(plans.length).toBeGreaterThanOrEqual(8);
      for (const plan of plans) expect(plan).not.toContain('Seq Scan on stored_record');
    });

    test('returns the lists that are still being indexed', async () => {
      const indexing = async () =>
        (await caller.get('/identifier/ALSA-2024%3A1691').json)['indexing'];
      await buildRecordIndex({ database });
      expect(await indexing()).toBeUndefined();
      await database.query(
        "update record_index_state set mapping = 'of an earlier version' where list = 'almalinux_patch'",
      );
      await database.query("update record set names = null where list = 'almalinux_patch'");
      expect(await indexing()).toEqual(['almalinux_patch']);
      expect((await findByName('ALSA-2024:1691')).found).toEqual([]);
      const near = await caller.get('/identifier/ALSA-2024%3A1692/nearest').json;
      expect(near['indexing']).toEqual(['almalinux_patch']);
      await database.query(
        "update record_index_state set mapping = 'of an earlier version' where list = 'debian_patch'",
      );
      await buildRecordIndex({ database });
      expect(await indexing()).toBeUndefined();
      expect((await findByName('ALSA-2024:1691')).found).toEqual([
        ['almalinux_patch', 'ALSA-2024:1691'],
      ]);
    });
  });
});
