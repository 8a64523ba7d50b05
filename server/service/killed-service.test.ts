/**
 * A service process that is killed during a sync, on a PostgreSQL server. Several processes are tested in
 * several-processes.long.ts.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchAuditEndpoint } from '@patch/contract/sources/run-endpoints.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TotalRow } from '../platform/database/plain-rows.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import type { OpenDatabase } from '../platform/database/schema/open-database.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { type FixtureVendors, startFixtureVendors } from '../testing/fixture-vendors.ts';
import { ServiceProcess } from '../testing/service-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const records = 4000;
const password = 'Correct-horse-7';
const errata = JSON.stringify({
  schema_version: '1.0',
  data: Array.from({ length: records }, (_, n) => ({
    id: `ALSA-2031:${10_000 + n}`,
    title: `Record ${n}`,
    description: 'Words',
    issued_date: 1938211200,
    updated_date: 1938297600,
    severity: 'Important',
    type: 'security',
    packages: [
      {
        name: 'bash',
        epoch: '0',
        version: '5.1',
        release: '1.el8',
        arch: 'x86_64',
        src: 'bash-5.1-1.el8.src.rpm',
        filename: 'bash-5.1-1.el8.x86_64.rpm',
      },
    ],
  })),
});

describeWithDatabase('a service that is killed during a sync', (open) => {
  const folder = temporaryFolder();
  const started: ServiceProcess[] = [];
  let database: OpenDatabase;
  let vendors: FixtureVendors;
  beforeAll(async () => {
    [database, vendors] = await Promise.all([open(), startFixtureVendors()]);
    vendors.publish('errata.almalinux.org/8/errata.full.json', errata);
  });
  afterAll(async () => {
    for (const service of started) await service.kill();
    vendors.stop();
  });

  async function start() {
    const service = new ServiceProcess(
      {
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, 'data'),
        FEED_MIRROR: vendors.url,
        ADMIN_EMAIL: 'admin@example.org',
        ADMIN_PASSWORD: password,
      },
      folder,
    );
    started.push(service);
    const { call } = await service.signIn('admin', password);
    const begin = () => call('/linux/patchsync/manual?service=almaLinux', {});
    const runs = async () =>
      fetchAuditEndpoint.reply
        .parse(await call('/windows/fetchAudit/all?offset=0&size=10'))
        .objList.map(({ run }) => run);
    return { service, begin, runs };
  }

  const count = async (condition = 'true') =>
    (
      await queryRows(
        database,
        TotalRow,
        `select count(*) as total from almalinux_patch where ${condition}`,
      )
    )[0]?.total ?? -1;
  async function until(isTrue: () => Promise<boolean>): Promise<void> {
    while (!(await isTrue())) await pause(20);
  }

  test('leaves complete records and an interrupted run, and the next sync completes', async () => {
    const first = await start();
    await first.begin();
    await until(async () => (await count()) > 0);
    await first.service.kill();
    const written = await count();
    expect(written).toBeLessThan(records);
    expect(await count('detail is null')).toBe(0);
    // Moves the heartbeat back.
    await database.query('update sync_run set heartbeat_time = 0');

    const second = await start();
    await until(async () => (await second.runs())[0]?.state === 'interrupted');
    await second.begin();
    await until(async () => ((await second.runs())[0]?.endedAt ?? null) !== null);
    expect((await second.runs())[0]).toMatchObject({
      state: expect.stringMatching('^succeeded'),
      unchanged: written,
      withdrawn: 0,
    });
    expect(await count("title like 'Record %'")).toBe(records);
    expect(await count('detail is null')).toBe(0);
  });
});
