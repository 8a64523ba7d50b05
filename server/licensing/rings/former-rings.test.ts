/** Clients that have left a ring, or begin again in one, lack records until their next call. */
import { beforeEach, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { writeRecords, writeTitled } from '../../testing/record-factories.ts';
import { activeClient, emptyRegistry } from '../clients/testing/client-registry.ts';
import { ListCopy, list } from './testing/list-copy.ts';

describeApp('clients of former rings', (service) => {
  const { operator } = service;
  let a: number | undefined;
  let client: Awaited<ReturnType<typeof activeClient>>;
  let copy: ListCopy;

  beforeEach(async () => {
    await emptyRegistry(service.database);
    await service.database.script('delete from ring; delete from checkpoint');
    client = await activeClient(service);
    copy = new ListCopy(client.caller);
  });

  const writeBoth = async () => {
    const records = ['a', 'b'].map((title) => ({
      key: title,
      row: { title, bulletinId: `ALSA-${title}` },
    }));
    a = (await writeRecords(service.database, list, records)).get('a');
  };
  const idOf = async (path: string, body: object) =>
    Number((await operator.post(path, body).json)['id']);
  const createCheckpoint = () => idOf('/checkpoints', { name: 'First' });
  const createRing = (checkpoint: number, name: string, clients: readonly number[]) =>
    idOf('/rings', { name, checkpoint, clients });
  const moveTo = async (ring: number, clients: readonly number[]) =>
    expect(await operator.put(`/rings/${ring}`, { clients }).outcome).toBe('200');
  const lacks = async () => {
    const lacking = await operator.get(`/windows/user/not-fetched/${list}/${a}`).list;
    return lacking.map(({ id, heldBack }) => [id, heldBack]);
  };

  test.each(['leaves it', 'moves to another', 'loses it'])(
    'lack what their ring declined when a client %s',
    async (how) => {
      await writeBoth();
      const checkpoint = await createCheckpoint();
      const ring = await createRing(checkpoint, 'Own', [client.id]);
      const other = await createRing(checkpoint, 'Other', []);
      const decision = { list, name: 'ALSA-a', decision: 'declined', reason: 'Tried out' };
      expect(await operator.post(`/rings/${ring}/decisions`, decision).status).toBe(201);
      expect(await copy.finish(100)).toHaveLength(1);
      expect(await lacks()).toEqual([[client.id, 'declined']]);
      const moves: Readonly<Record<string, () => Promise<unknown>>> = {
        'leaves it': () => moveTo(ring, []),
        'moves to another': () => moveTo(other, [client.id]),
        'loses it': () => operator.delete(`/rings/${ring}`),
      };
      await moves[how]?.();
      expect(await lacks()).toEqual([[client.id, null]]);
      expect(await copy.finish(100)).toHaveLength(2);
      expect(await lacks()).toEqual([]);
    },
  );

  test('lack what a checkpoint without the list does not have when they begin again', async () => {
    await service.database.script('delete from list_revision');
    await writeTitled(service.database, 'debian_patch', ['d']);
    const checkpoint = await createCheckpoint();
    await writeBoth();
    expect(await copy.finish(100)).toHaveLength(2);
    await createRing(checkpoint, 'Own', [client.id]);
    expect(await new ListCopy(client.caller).finish(100)).toEqual([]);
    expect(await lacks()).toEqual([[client.id, 'newer']]);
  });
});
