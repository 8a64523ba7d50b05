import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getList } from '@patch/catalogue/lists.ts';
import { CarriedKeys, TreeAccess } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { earlierKey, handedPeriod, periodAt } from '@patch/contract/tree/family-keys.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { day, describeApp, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { writeTitled } from '../../testing/record-factories.ts';
import { readChangeStates } from '../clients/change-store.ts';
import { activeClient, emptyRegistry, register } from '../clients/testing/client-registry.ts';
import { list } from '../rings/testing/list-copy.ts';
import { createRoot } from './make-root.ts';
import { publishTree } from './publish-tree.ts';
import { TreeReader } from './testing/tree-reader.ts';
import { nextMoment } from './tree-access.ts';
import { TreeFolder } from './tree-folder.ts';
import { FamilyKeys, treeSecret } from './tree-keys.ts';
import { withListSource } from './tree-lines-store.ts';

const beat = { applicationVersion: '1.0' };

describeApp('access to the tree', (service) => {
  let base: string;
  let folder: TreeFolder;

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'tree-access-'));
    folder = new TreeFolder(join(base, 'published'), join(base, 'own'));
    await service.app.close();
    service.app = await service.start({ tree: { folder, place: 'service', address: null } });
    const { epoch } = await readChangeStates(service.database);
    const secret = treeSecret(service.box);
    const expires = service.now + 400 * day;
    const root = { folder, keysFolder: join(base, 'keys'), secret, epoch, expires };
    await createRoot(root, { count: 1, threshold: 1 });
    await writeTitled(service.database, list, ['a', 'b'], { category: 'first' }, service.now);
    const keys = new FamilyKeys(secret);
    await publishTree(
      { folder, epoch, keys, secret, clock: () => service.now },
      new Map([[list, (work) => withListSource(service.database, getList(list), work)]]),
    );
  });
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  beforeEach(() => emptyRegistry(service.database));

  const access = async (caller: typeof service.operator, more = {}) =>
    TreeAccess.nullable().parse(
      (await caller.post('/client/heartbeat', { ...beat, ...more }).json)['tree'],
    );

  test('gives a client what it needs to read the lists of its families, and of no other', async () => {
    const { caller } = await activeClient(service, { families: ['almaLinux'] });
    const given = await access(caller);
    expect(given).toMatchObject({ address: '/api/tree', period: handedPeriod(service.now) });
    expect(Object.keys(given?.keys ?? {}).toSorted()).toEqual(['-', 'almaLinux']);
    const rows = await new TreeReader(folder.published, list).follow(
      { period: given?.period ?? 0, keys: given?.keys ?? {} },
      service.now,
    );
    expect(rows).toHaveLength(2);

    const { caller: other } = await activeClient(service, { families: ['debian'] });
    const foreign = await access(other);
    const keys = { almaLinux: foreign?.keys['debian'] ?? '' };
    await expect(
      new TreeReader(folder.published, list).follow({ period: 9_999, keys }, service.now),
    ).rejects.toThrow('cannot be unpacked');
  });

  test('gives no tree to a client of a ring, and nothing to one that was revoked', async () => {
    const { id, caller } = await activeClient(service, { families: ['almaLinux'] });
    const checkpoint = (await service.operator.post('/checkpoints', { name: 'First' }).json)['id'];
    await service.operator.post('/rings', { name: 'Test', checkpoint, clients: [id], groups: [] });
    expect(await access(caller)).toBeNull();

    const { id: revoked, caller: former } = await activeClient(service, {
      clientName: 'Former',
      families: ['almaLinux'],
    });
    expect(await access(former)).not.toBeNull();
    await service.operator.post(`/windows/user/${revoked}/revoke`, {});
    expect(await former.post('/client/heartbeat', beat).status).toBe(403);
  });

  test('gives an administrator the keys of a client that was never activated, and notes it', async () => {
    const { id } = await register(service, { clientName: 'Island', families: ['almaLinux'] });
    const reply = service.operator.post(`/windows/user/${id}/carried-keys`);
    expect(await reply.status).toBe(200);
    const { server, licence } = CarriedKeys.parse(await reply.json);
    expect(server).toMatch(/^http/);
    expect(licence).toMatchObject({ clientName: 'Island', lists: [list] });
    const { period, keys } = licence.tree;
    expect(
      await new TreeReader(folder.published, list).follow({ period, keys }, service.now),
    ).toHaveLength(2);
    const [entry] = await service.rows(
      "select subject, after_json from audit_entry where action = 'carried_client_keys'",
    );
    expect(entry?.['subject']).toBe('licensed client Island');
    const noted = JSON.parse(String(entry?.['after_json'])) as { opensUntil: number };
    expect(noted).toEqual({ families: ['almaLinux'], opensUntil: expect.any(Number) });
    expect(noted.opensUntil).toBeGreaterThanOrEqual(service.now + 20 * hour);
    expect(noted.opensUntil).toBeLessThanOrEqual(service.now + day);
  });

  test('gives no keys to carry without a licence, in a ring, or to those who may not', async () => {
    const { id } = await register(service, { families: ['almaLinux'] });
    const path = `/windows/user/${id}/carried-keys`;
    const ask = () => service.operator.post(path).outcome;
    expect(await service.operator.post('/windows/user/999999/carried-keys').outcome).toBe(
      '404 not_found',
    );
    expect(await service.anyone.post(path).status).toBe(401);
    await service.operator.post(`/windows/user/${id}/revoke`);
    expect(await ask()).toBe('403 client_revoked');
    await service.operator.post(`/windows/user/${id}/restore`);
    const checkpoint = (await service.operator.post('/checkpoints', { name: 'Second' }).json)['id'];
    await service.operator.post('/rings', {
      name: 'Island',
      checkpoint,
      clients: [id],
      groups: [],
    });
    expect(await ask()).toBe('409 not_published');
  });

  test('hands out keys that open at most what is written within a day', () => {
    for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
      const now = service.now + minute * 60_000;
      const handed = handedPeriod(now);
      // The last moment that such a key opens, and the first that it does not.
      expect(periodAt(now + 20 * hour)).toBeLessThanOrEqual(handed);
      expect(periodAt(now + day)).toBeGreaterThan(handed);
    }
  });

  test('computes earlier keys from later ones, and no later key from an earlier one', () => {
    const keys = new FamilyKeys(Buffer.alloc(32, 1));
    const held = { period: 2_000, key: keys.keyAt('debian', 2_000) };
    for (const period of [0, 1, 255, 256, 257, 1_743, 1_744, 1_999, 2_000]) {
      expect(earlierKey(held, period)).toEqual(keys.keyAt('debian', period));
      const next = keys.keyAt('debian', period + 1);
      expect(createHash('sha256').update(next).digest()).toEqual(keys.keyAt('debian', period));
    }
    expect(earlierKey(held, 2_001)).toBeNull();
    const others = [
      keys.keyAt('ubuntu', 7),
      new FamilyKeys(Buffer.alloc(32, 2)).keyAt('debian', 7),
    ];
    for (const other of others) expect(other).not.toEqual(keys.keyAt('debian', 7));
  });

  test('spreads the heartbeats of clients over the day', () => {
    const moments = Array.from({ length: 24_000 }, (_, id) => nextMoment(id, service.now));
    const hours = new Map<number, number>();
    for (const moment of moments) {
      expect(moment).toBeGreaterThan(service.now);
      expect(moment).toBeLessThanOrEqual(service.now + day + 60_000);
      const hourOfDay = Math.floor(moment / hour) % 24;
      hours.set(hourOfDay, (hours.get(hourOfDay) ?? 0) + 1);
    }
    for (const count of hours.values()) expect(Math.abs(count - 1_000)).toBeLessThan(50);
    // The same moment on each day.
    const first = nextMoment(5, service.now);
    expect(nextMoment(5, first)).toBe(first + day);
  });

  test('notes how far a client has fetched the tree, but not further than the list is', async () => {
    const { id, caller } = await activeClient(service, { families: ['almaLinux'] });
    const { revisions } = await readChangeStates(service.database);
    const revision = revisions[list] ?? 0;
    await access(caller, { positions: { [list]: revision + 5, debian_patch: 3, other: 1 } });
    const positions = () =>
      service.rows('select list, revision from client_position where client_id = $1', [id]);
    await expect.poll(positions, { timeout: 20_000 }).toEqual([{ list, revision }]);
  });

  test('is served by the service itself, with 304 while nothing changes, and no other file', async () => {
    const head = await service.anyone.get('/tree/head.jsonl');
    expect(head.status).toBe(200);
    expect(head.bytes).toEqual(await folder.readPublished('head.jsonl'));
    expect(head.headers['cache-control']).toBe('public, max-age=60');
    const known = { 'if-none-match': String(head.headers['etag']) };
    expect(await service.anyone.get('/tree/head.jsonl', known).status).toBe(304);
    const root = await service.anyone.get('/tree/root/1.jsonl');
    expect(root.bytes).toEqual(await folder.readPublished('root/1.jsonl'));
    expect(root.headers['cache-control']).toBe('public, max-age=31536000');
    writeFileSync(join(base, 'secret'), 'not to be read');
    writeFileSync(join(folder.published, 'other'), 'not of the tree');
    for (const path of ['other', '..%2Fsecret', 'root/..%2F..%2Fsecret', 'a/b/..%2F..%2Fother'])
      expect(await service.anyone.get(`/tree/${path}`).status).toBe(404);
  });
});
