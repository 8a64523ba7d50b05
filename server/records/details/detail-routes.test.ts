import { randomBytes } from 'node:crypto';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { detailEndpoint } from '@patch/contract/records/detail-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { appWithRoutes, callerOf } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { SearchStore } from '../search/search-store.ts';
import { detailRoutes } from './detail-routes.ts';

type Values = Readonly<Record<string, unknown>>;

describeWithDatabase('detail endpoints', (open) => {
  let app: FastifyInstance;
  let database: Database;
  beforeAll(async () => {
    database = await open();
    app = await appWithRoutes((answer) =>
      detailRoutes(answer, {
        lists: database,
        box: secretBox(randomBytes(32)),
        searchService: { store: new SearchStore(database) },
      }),
    );
  });
  const caller = callerOf(() => app);
  const write = async (list: ListKey, key: string, row: Values, detail: Values) =>
    (await writeRecords(database, list, [{ key, row, detail }], 1000)).get(key);

  test('returns a record with its row, facts, tables and times', async () => {
    const row = { kbId: 'KB1', name: 'One', cve: ['CVE-1', 'CVE-2'] };
    const id = await write('patch_repository', 'KB1', row, {
      classification: 'Security Updates',
      vulnerabilities: [{ cve: 'CVE-1' }],
    });
    const { status, json } = await caller.get(`/windows/kb/${id}`);
    expect(json).toMatchObject({
      id,
      kbId: 'KB1',
      cve: ['CVE-1', 'CVE-2'],
      severity: null,
      createdTime: 1000,
      updatedTime: 1000,
      classification: 'Security Updates',
      description: null,
      createdAt: 1000,
      updatedAt: 1000,
      vulnerabilities: [{ cve: 'CVE-1' }],
      fileDetails: [],
      firstSeenTime: 1000,
      changedTime: 1000,
      withdrawnTime: null,
    });
    const { success } = detailEndpoint(getList('patch_repository')).reply.safeParse(json);
    expect([status, success]).toEqual([200, true]);
    await withdrawRecords(database, 'patch_repository', [id], 5000);
    const withdrawn = { kbId: 'KB1', withdrawnTime: 5000 };
    expect(await caller.get(`/windows/kb/${id}`).json).toMatchObject(withdrawn);
  });

  test('adds Windows Update’s facts to a KB of the same product, and only if the match is certain', async () => {
    const files = [{ name: 'a.cab', size: 5 }];
    const title =
      '2024-01 Cumulative Update for Windows 10 Version 22H2 for x64-based Systems (KB77)';
    const update = {
      kbId: 'KB77',
      title,
      uuid: 'u-1',
      category: 'Update Rollups',
      architecture: ['x64'],
      size: 5,
    };
    const uninstallation = {
      uninstallNotes: 'View installed updates.',
      uninstallRestartBehaviour: 'Required',
    };
    const baseId = await write('kb_repository', 'u-1', update, {
      ...uninstallation,
      fileDetails: files,
    });
    await write(
      'kb_repository',
      'u-2',
      { ...update, uuid: 'u-2', title: 'Another for Windows Server 2019 (KB77)' },
      {},
    );
    const of = (productName: string) => ({
      kbId: 'KB77',
      name: 'Own',
      productName,
      architecture: ['x64'],
    });
    const own = { title: 'Own', uuid: 'placeholder', size: null };
    const id = await write(
      'patch_repository',
      'KB77|1',
      of('Windows 10 Version 22H2 for x64-based Systems'),
      own,
    );
    expect(await caller.get(`/windows/kb/${id}`).json).toMatchObject({
      id,
      name: 'Own',
      kbBaseId: baseId,
      title,
      uuid: 'u-1',
      classification: 'Update Rollups',
      size: 5,
      ...uninstallation,
      // Neither list has a value.
      supportUninstallation: null,
      fileDetails: files,
    });
    const other = await write(
      'patch_repository',
      'KB77|2',
      of('Windows 11 Version 23H2 for x64-based Systems'),
      own,
    );
    expect(await caller.get(`/windows/kb/${other}`).json).toMatchObject({
      ...own,
      kbBaseId: null,
      fileDetails: [],
    });
    await withdrawRecords(database, 'kb_repository', [baseId], 5000);
    expect(await caller.get(`/windows/kb/${id}`).json).toMatchObject(own);
  });

  test('returns 404 for a missing record, and refuses an id that is not a number', async () => {
    const words = 'Patch repository has no record 999.';
    expect(await caller.get('/windows/kb/999').refusal).toEqual([404, words]);
    expect(await caller.get('/windows/kb/abc').status).toBe(422);
  });

  test('returns the release packages of a notice by record id and by notice id', async () => {
    const packages = [
      {
        name: 'openssl',
        version: '3.0',
        osVersion: '22.04',
        pocket: 'security',
        is_source: true,
        is_visible: true,
      },
    ];
    const id = await write(
      'linux_notice',
      'USN-6663-1',
      { noticeId: 'USN-6663-1', title: 'OpenSSL' },
      { releasePackages: packages },
    );
    const row = { id: 1, ...packages[0] };
    expect(Object.keys(row).toSorted()).toEqual(specified.noticeReleasePackage.toSorted());
    for (const key of [String(id), 'USN-6663-1', 'usn-6663-1']) {
      const { status, json } = await caller.get(`/linux/linuxnotice/${key}/releasepackage`);
      expect([status, json]).toEqual([200, { objList: [row], totalCount: 1 }]);
    }
    expect(await caller.get('/linux/linuxnotice/USN-1/releasepackage').status).toBe(404);
    expect(await caller.get('/linux/linuxnotice/a%00b/releasepackage').status).toBe(422);
  });

  test('returns the release packages of an application', async () => {
    const every = {
      downloadUrl: 'https://example.org/app.msi',
      osArch: 'x64',
      osPlatform: 'Windows',
      osVersion: '11',
    };
    const id = await write(
      'thirdparty_patch',
      'app',
      { name: 'App', uuid: 'u' },
      { releasePackages: [{ ...every, name: 'App', version: '1' }, { name: 'App' }] },
    );
    const { json } = await caller.get(`/thirdpartypatch/releasepackage/${id}`);
    const objList = [{ id: 1, version: '1' }, { id: 2 }];
    expect(json).toMatchObject({ objList, totalCount: 2 });
    const [first] = json['objList'] as readonly object[];
    expect(Object.keys(first ?? {})).toEqual(
      expect.arrayContaining([...specified.thirdPartyReleasePackage]),
    );
    expect(await caller.get('/thirdpartypatch/releasepackage/abc').status).toBe(404);
  });

  test('returns the time at which the guide that decides the state was read, here or for an applied bundle', async () => {
    const paths: string[] = [];
    for (const key of ['patch_repository', 'kb_repository', 'patch'] as const) {
      const id = await write(key, 'KB9', { kbId: 'KB9', superseded: false }, {});
      paths.push(detailEndpoint(getList(key)).path.replace('{id}', String(id)));
    }
    const readTimes = () =>
      Promise.all(paths.map(async (path) => (await caller.get(path).json)['stateReadAt']));
    expect(await readTimes()).toEqual([null, null, null]);
    await database.query(
      `insert into feed_part (source, part, feed_version, read_time)
       values ('wsus', 'offline-scan', 1, 2000), ('wsus', 'msrc', 1, 1000)`,
    );
    expect(await readTimes()).toEqual([1000, 1000, 1000]);
    await database.query(
      `insert into bundle_applied (public_key, source, made_time, applied_time) values ('key', 'wsus', 1500, 9000)`,
    );
    expect(await readTimes()).toEqual([1500, 1500, 1500]);
  });
});
