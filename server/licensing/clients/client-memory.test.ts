/** Clients are read from memory. Changes that another process writes are visible to the next request. */
import { randomBytes } from 'node:crypto';
import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { beginEpoch } from '../../platform/database/rows/epoch-store.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildClient } from '../../testing/factories.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { activateClient, hashToken } from './client-authenticator.ts';
import { ClientMemory } from './client-memory.ts';
import {
  changeClientRecord,
  createClientRecord,
  permitReactivation,
  replaceActivationCode,
} from './client-records.ts';

const now = Date.UTC(2026, 5, 1);
const box = secretBox(randomBytes(32));
const alma = getList('almalinux_patch');

describeWithDatabase('ClientMemory', (open) => {
  let database: Database;
  let queries: string[];
  /** Runs between the next read of a client by its token and its result. */
  let meanwhile: (() => Promise<unknown>) | undefined;
  let memory: ClientMemory;
  let token: string;
  let id: number;
  const context = () => ({ database, clock: () => now, box });

  beforeEach(async () => {
    database = await open();
    queries = [];
    meanwhile = undefined;
    const watched: Queryable = {
      async query(text, values) {
        queries.push(text);
        const result = await database.query(text, values);
        const work = text.includes('token_hash = ') ? meanwhile : undefined;
        if (work !== undefined) meanwhile = undefined;
        await work?.();
        return result;
      },
    };
    memory = new ClientMemory(watched, () => now);
    const client = await createClientRecord(context(), buildClient(now));
    id = client.id;
    const { activationCode } = client;
    ({ token } = await activate(activationCode));
  });

  const activate = (activationCode: string) =>
    activateClient(
      context(),
      { activationCode, applicationVersion: '1', hostName: 'repo-1' },
      () => undefined,
    );
  const found = (of = token) => memory.findByToken(hashToken(of));

  test('answers many concurrent requests with one query', async () => {
    await found();
    queries.length = 0;
    const clients = await Promise.all(Array.from({ length: 50 }, () => found()));
    expect(new Set(clients.map((client) => client?.id))).toEqual(new Set([id]));
    expect(queries.length).toBe(1);
  });

  test('returns clients as another process changed them', async () => {
    expect((await found())?.revokedOn).toBeNull();
    await changeClientRecord(context(), id, () => ({ revokedOn: now, revokedBy: 'operator' }));
    expect((await found())?.revokedOn).toBe(now);
    await changeClientRecord(context(), id, () => ({ revokedOn: null, families: ['ubuntu'] }));
    expect(await found()).toMatchObject({ revokedOn: null, families: ['ubuntu'] });
  });

  test('does not remember a client that changed while it was read', async () => {
    meanwhile = async () => {
      await changeClientRecord(context(), id, () => ({ revokedOn: now, revokedBy: 'operator' }));
      await found('prc_other');
    };
    await found();
    expect((await found())?.revokedOn).toBe(now);
  });

  test('rejects a token after the code is replaced or used again', async () => {
    await found();
    await permitReactivation(context(), id);
    const again = await activate(getCode(await changeClientRecord(context(), id, () => ({}))));
    expect(await found()).toBeNull();
    expect((await found(again.token))?.id).toBe(id);
    await replaceActivationCode(context(), id);
    expect(await found(again.token)).toBeNull();
    expect(await found('prc_never')).toBeNull();
  });

  const getCode = ({ after }: Awaited<ReturnType<typeof changeClientRecord>>) =>
    after.activationCode;

  test('returns the revision of a list that another process wrote', async () => {
    await found();
    const before = await memory.listState(alma.key);
    await writeRecords(database, alma, [{ key: 'a', row: { bulletinId: 'A', title: 'a' } }]);
    await found();
    const after = await memory.listState(alma.key);
    expect(after.epochs).toBe(before.epochs);
    expect(after.revision).toBe(before.revision + 1);
  });

  test('returns the epoch that the start of another process began', async () => {
    await found();
    const before = await memory.listState(alma.key);
    await beginEpoch(database);
    await found();
    const after = await memory.listState(alma.key);
    expect(after.epochs.started).toHaveLength(before.epochs.started.length + 1);
  });

  test('reads clients again after the database was restored', async () => {
    await found();
    await database.query("update change_epoch set epoch = 'restored'");
    await database.query('update licensed_client set notes = $1', ['as in the backup']);
    expect((await found())?.notes).toBe('as in the backup');
  });
});
