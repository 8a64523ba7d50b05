/** The client against the real service that publishes its catalogue, in the service's own thread. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getList } from '@patch/catalogue/lists.ts';
import { day, withSignInApp } from '@patch/server/identity/sign-in/testing/sign-in-app.ts';
import { readChangeStates } from '@patch/server/licensing/clients/change-store.ts';
import {
  emptyRegistry,
  register,
} from '@patch/server/licensing/clients/testing/client-registry.ts';
import { createRoot, renewRoot } from '@patch/server/licensing/tree/make-root.ts';
import { type Publishing, startPublishing } from '@patch/server/licensing/tree/start-publishing.ts';
import { treeSecret } from '@patch/server/licensing/tree/tree-keys.ts';
import { treeParts } from '@patch/server/licensing/tree/tree-place.ts';
import { describeWithDatabase } from '@patch/server/testing/databases.ts';
import { withdrawRecords, writeTitled } from '@patch/server/testing/record-factories.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callClient } from './testing/called-client.ts';
import { readLiveLines } from './testing/tree-client.ts';

const list = 'almalinux_patch';

describeWithDatabase('a service that publishes its catalogue', (open) => {
  const service = withSignInApp(open);
  // Threads and clients have the clock of the machine.
  service.now = Date.now();
  const base = mkdtempSync(join(tmpdir(), 'published-service-'));
  const config = {
    dataDir: join(base, 'data'),
    publishTo: { kind: 'folder', path: join(base, 'public') },
    publishedAt: null,
    publishKeyId: null,
    publishSecretKey: null,
  } as const;
  const said: string[] = [];
  let publishing: Publishing | null;
  let url: string;

  beforeAll(async () => {
    await service.app.close();
    service.app = await service.start({ tree: treeParts(config), clock: Date.now });
    url = await service.app.listen({ port: 0, host: '127.0.0.1' });
    const say = (facts: object) => said.push(JSON.stringify(facts));
    publishing = startPublishing({
      database: service.database as Parameters<typeof startPublishing>[0]['database'],
      config,
      key: treeSecret(service.box),
      log: { info: say, warn: say, error: say },
    });
    await emptyRegistry(service.database);
  });
  afterAll(async () => {
    await publishing?.stop();
    rmSync(base, { recursive: true, force: true });
  });

  const rootParts = async () => {
    const tree = treeParts(config);
    if (tree === null) throw new Error('Nothing is published');
    const { epoch } = await readChangeStates(service.database);
    const secret = treeSecret(service.box);
    const expires = Date.now() + 300 * day;
    return { folder: tree.folder, keysFolder: join(base, 'keys'), secret, epoch, expires };
  };
  const wireRows = async () => {
    const rows = await service.rows(`select id, title from ${list} where withdrawn_time is null`);
    return rows.map(({ id, title }) => ({ id, title })).toSorted(byId);
  };
  const copied = (folder: string) =>
    [...readLiveLines(folder, list).values()]
      .map((line) => JSON.parse(line) as { id: number; row: { title: string } })
      .map(({ id, row }) => ({ id, title: row.title }))
      .toSorted(byId);
  const byId = (one: { id: unknown }, other: { id: unknown }) => Number(one.id) - Number(other.id);

  test('brings a client to each state of a list, and refuses a restored one until a root names it', async () => {
    const titles = Array.from({ length: 50 }, (_, n) => `record ${n}`);
    const ids = await writeTitled(service.database, getList(list), titles, {}, Date.now());
    await publishing?.publishNow();
    expect(said).toEqual([expect.stringContaining('has no root yet')]);
    await createRoot(await rootParts(), { count: 2, threshold: 2 });

    const { activationCode } = await register(service, {
      families: ['almaLinux'],
      licenseExpiry: Date.now() + 30 * day,
    });
    const folder = join(base, 'copy');
    const call = async () =>
      callClient(['--server', url, '--folder', folder], { PATCH_ACTIVATION_CODE: activationCode });
    for (let round = 0; round < 6; round += 1) {
      await writeTitled(service.database, getList(list), [`new ${round}`], {}, Date.now());
      await withdrawRecords(service.database, getList(list), [ids.get(`record ${round}`)]);
      await publishing?.publishNow();
      expect(await call()).toMatchObject({ exit: 0, complaints: '' });
      expect(copied(folder)).toEqual(await wireRows());
    }
    await expectIsland(await register(service, { clientName: 'Island', families: ['almaLinux'] }));
    const before = readFileSync(join(folder, `${list}.jsonl`));

    await service.database.script("update change_epoch set epoch = 'restored'");
    await writeTitled(service.database, getList(list), ['after the restore'], {}, Date.now());
    await publishing?.publishNow();
    expect(said.at(-1)).toContain('before the database was restored');
    await renewRoot(await rootParts(), { newKeys: false });
    // Nothing is published yet, and what is there is of the former epoch.
    const refused = await call();
    expect(refused.exit).toBe(3);
    expect(refused.complaints).toContain('foreign_epoch');
    expect(readFileSync(join(folder, `${list}.jsonl`))).toEqual(before);
    await publishing?.publishNow();
    expect(await call()).toMatchObject({ exit: 0 });
    expect(copied(folder)).toEqual(await wireRows());
  });

  /** A client that gets folder and keys on a medium has the same copy. */
  async function expectIsland({ id }: { readonly id: number }) {
    const keys = await service.operator.post(`/windows/user/${id}/carried-keys`).json;
    const [keysFile, folder] = [join(base, 'keys.json'), join(base, 'island')];
    writeFileSync(keysFile, JSON.stringify(keys));
    const from = config.publishTo.path;
    expect(
      await callClient(['--folder', folder, '--from', from, '--keys', keysFile]),
    ).toMatchObject({ exit: 0, complaints: '' });
    expect(copied(folder)).toEqual(await wireRows());
    expect(await service.operator.get(`/windows/user/${id}/licence`).json).toMatchObject({
      state: 'waiting',
      latestKbRequestOn: null,
    });
  }
});
