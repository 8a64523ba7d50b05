import { type Chance, createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { beforeEach, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { readCheckpointRevisions } from '../../records/checkpoints/checkpoint-store.ts';
import { withdrawRecords, writeTitled } from '../../testing/record-factories.ts';
import { activeClient, emptyRegistry } from '../clients/testing/client-registry.ts';
import { fetchPage, ListCopy, list } from './testing/list-copy.ts';

describeApp('rings', (service) => {
  const { operator } = service;
  const ids = new Map<string, number>();
  beforeEach(async () => {
    await emptyRegistry(service.database);
    await service.database.script(
      'delete from ring; delete from checkpoint; delete from kept_record',
    );
    ids.clear();
  });

  const write = async (titles: readonly string[], category: string) => {
    const written = await writeTitled(service.database, list, titles, { category });
    for (const [title, id] of written) ids.set(title, id);
  };
  const withdraw = (titles: readonly string[]) =>
    withdrawRecords(
      service.database,
      list,
      titles.flatMap((title) => ids.get(title) ?? []),
    );
  const createCheckpoint = async (name: string) =>
    Number((await operator.post('/checkpoints', { name }).json)['id']);
  const createRing = async (checkpoint: number, ...clients: readonly number[]) =>
    Number((await operator.post('/rings', { name: 'Test', checkpoint, clients }).json)['id']);
  const change = (ring: number, body: object) => operator.put(`/rings/${ring}`, body).outcome;

  test('bring a client to the list of each checkpoint to the byte, killed and promoted at any moment of a sync', async () => {
    const plain = new ListCopy((await activeClient(service)).caller);
    const { id: clientId, caller } = await activeClient(service, { clientName: 'In the ring' });
    const client = new ListCopy(caller);
    const chance = createChance(20_261_129);
    const copies = new Map<number, readonly string[]>();
    const sync = { isRunning: true };
    const noteCopy = async () => {
      const rows = await plain.finish(100);
      const [row] = await service.rows('select revision from list_revision where list = $1', [
        list,
      ]);
      copies.set(Number(row?.['revision']), rows);
    };
    await write(['record 0'], 'first');
    await noteCopy();
    const writing = writeRandomly(createChance(7), noteCopy).finally(() => {
      sync.isRunning = false;
    });

    const checkpoints = [await createCheckpoint('0')];
    const ring = await createRing(checkpoints[0] ?? 0, clientId);
    let current: number | null = checkpoints[0] ?? null;
    const reached: { readonly revision: number; readonly rows: readonly string[] }[] = [];
    for (let round = 1; sync.isRunning || round < 150; round += 1) {
      const dice = chance();
      if (dice < 0.12) checkpoints.push(await createCheckpoint(String(round)));
      else if (dice < 0.3) {
        current = pick(checkpoints, chance);
        await change(ring, { checkpoint: current, clients: [clientId] });
      } else if (dice < 0.34) {
        current = null;
        await change(ring, { clients: [] });
      } else if (dice < 0.4 && checkpoints.length > 3) {
        const removed = checkpoints.find((checkpoint) => checkpoint !== current) ?? 0;
        // The ring may still be on it while it has no clients.
        if ((await operator.delete(`/checkpoints/${removed}`).status) === 200)
          checkpoints.splice(checkpoints.indexOf(removed), 1);
      } else if (dice < 0.9) await client.step(1 + Math.floor(chance() * 9), chance() < 0.2);
      else if (current !== null) {
        const rows = await client.finish(1 + Math.floor(chance() * 20));
        const revisions = await readCheckpointRevisions(service.database, current);
        reached.push({ revision: revisions?.[list] ?? 0, rows });
      }
    }
    await writing;
    expect(reached.length).toBeGreaterThan(5);
    for (const { revision, rows } of reached) expect(rows).toEqual(copies.get(revision));
    for (const checkpoint of checkpoints) {
      await change(ring, { checkpoint, clients: [clientId] });
      const revisions = await readCheckpointRevisions(service.database, checkpoint);
      expect(await client.finish(7)).toEqual(copies.get(revisions?.[list] ?? 0));
    }
    await operator.delete(`/rings/${ring}`);
    expect(await client.finish(7)).toEqual(plain.rows);
  });

  test('answer a client at its checkpoint with 304 while the list changes, and with the difference when promoted', async () => {
    const { id, caller } = await activeClient(service);
    await write(['a', 'b'], 'old');
    const ring = await createRing(await createCheckpoint('First'), id);
    const { rows, nextCursor } = await fetchPage(caller, '');
    expect(rows).toHaveLength(2);
    const poll = (headers = {}) =>
      caller.get(`/client/changes?list=${list}&since=${nextCursor}`, headers);
    const { status, headers, json } = await poll();
    expect([status, json]).toEqual([200, { rows: [], nextCursor, more: false }]);
    await write(['a', 'c'], 'new');
    const known = { 'if-none-match': headers['etag'] };
    expect(await poll(known).status).toBe(304);

    await change(ring, { checkpoint: await createCheckpoint('Second') });
    const promoted = await poll(known);
    expect(promoted.status).toBe(200);
    expect(promoted.json['rows']).toMatchObject([
      { row: { title: 'a', category: 'new' } },
      { row: { title: 'c' } },
    ]);
    await change(ring, { clients: [] });
    expect(await poll().json).toMatchObject({ rows: [{}, {}], more: false });
  });

  test('give a client vulnerabilities as they are, and nothing of a list that was empty', async () => {
    const { id, caller } = await activeClient(service);
    await createRing(await createCheckpoint('Empty'), id);
    await write(['a'], 'new');
    expect(await fetchPage(caller, '')).toMatchObject({ rows: [], more: false });
    expect(await caller.get('/client/changes?list=vulnerabilities').status).toBe(200);
  });

  test('are created, renamed, promoted and removed, with a client in one of them at most', async () => {
    const { id, client } = await activeClient(service);
    const first = await createCheckpoint('First');
    const second = await createCheckpoint('Second');
    const ring = await createRing(first, id);
    const body = { name: 'test', checkpoint: first };
    expect(await operator.post('/rings', body).outcome).toBe('409 name_taken');
    expect(await operator.post('/rings', { name: 'Other', checkpoint: second + 1 }).outcome).toBe(
      '404 no_such_checkpoint',
    );
    expect(await change(ring, { clients: [id + 1000] })).toBe('404 not_found');
    expect(await operator.delete(`/checkpoints/${first}`).outcome).toBe('409 checkpoint_in_use');

    service.now += 1_000;
    const pilot = await operator.post('/rings', {
      name: 'Pilot',
      checkpoint: first,
      clients: [id],
    });
    expect(pilot.status).toBe(201);
    await change(ring, { name: 'Trial', checkpoint: second });
    const checkpoint = { id: second, name: 'Second' };
    expect(await service.stan.get('/rings').list).toEqual([
      { ...pilot.json, clients: [{ id, name: client.clientName }] },
      {
        id: ring,
        name: 'Trial',
        checkpoint,
        clients: [],
        groups: [],
        follows: null,
        passesExploited: false,
        approved: 0,
        declined: 0,
        promotedTime: service.now,
        promotedBy: 'Operator',
      },
    ]);
    expect(await service.stan.put(`/rings/${ring}`, { name: 'Mine' }).status).toBe(403);
    expect(await change(ring, { name: 'PILOT' })).toBe('409 name_taken');
    expect(await operator.delete(`/rings/${ring}`).status).toBe(200);
    expect(await operator.delete(`/rings/${ring}`).outcome).toBe('404 no_such_ring');
  });

  /** Writes, withdraws and returns records until a sync would end. */
  async function writeRandomly(chance: Chance, noteCopy: () => Promise<void>): Promise<void> {
    for (let round = 0; round < 80; round += 1) {
      const titles = Array.from({ length: 40 }, (_, n) => `record ${n}`).filter(
        () => chance() < 0.25,
      );
      const known = titles.filter((title) => ids.has(title));
      if (chance() < 0.3) await withdraw(known);
      else await write(titles, `category ${Math.floor(chance() * 4)}`);
      await noteCopy();
    }
  }
});
