import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type EmbeddedDatabase, openEmbedded } from './embedded-database.ts';
import { databaseOver } from './port-database.ts';
import { queryRows } from './query-rows.ts';

let database: EmbeddedDatabase;
beforeAll(async () => {
  database = await openEmbedded({ dataDir: null });
  await database.script('create table t (n bigint primary key)');
});
afterAll(() => database.close());

const numbers = async () =>
  (await queryRows(database, z.object({ n: z.number() }), 'select n from t order by n')).map(
    ({ n }) => n,
  );
const slow = 'select count(*) from generate_series(1, 3000000)';

test('returns numbers of every size as numbers, JSON as values, and arrays as arrays', async () => {
  const { rows, count } = await database.query(
    'select 9007199254740991::bigint as b, 1.5::numeric as n, $1::jsonb as j, array[1, 2] as a, null as x',
    [JSON.stringify({ a: [1] })],
  );
  expect(rows).toEqual([{ b: 9_007_199_254_740_991, n: 1.5, j: { a: [1] }, a: [1, 2], x: null }]);
  expect(count).toBe(1);
});

test('passes on the database’s error messages', async () => {
  await expect(database.query('select * from nowhere')).rejects.toMatchObject({
    name: 'DatabaseError',
    code: '42P01',
  });
  await database.query('delete from t');
  await database.query('insert into t values (1)');
  await expect(database.query('insert into t values (1)')).rejects.toMatchObject({
    code: '23505',
    constraint: 't_pkey',
  });
});

test('runs a transaction completely or not at all, without interleaving', async () => {
  await database.query('delete from t');
  const failing = database.transaction(async (tx) => {
    await tx.query('insert into t values (1)');
    throw new Error('no');
  });
  const following = database.transaction(async (tx) => {
    await tx.query('insert into t values (2)');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await tx.query('insert into t values (3)');
  });
  const between = numbers();
  await expect(failing).rejects.toThrow('no');
  await following;
  expect(await between).toEqual([2, 3]);
  await expect(
    database.transaction(async (tx) => {
      await tx.query('insert into t values (4)');
      await tx.query('insert into t values (2)');
    }),
  ).rejects.toMatchObject({ code: '23505' });
  expect(await numbers()).toEqual([2, 3]);
});

test('rejects statements after the end of their transaction', async () => {
  const tx = await database.transaction(async (open) => open);
  await expect(tx.query('select 1')).rejects.toMatchObject({ code: 'closed' });
});

test('runs interactive work before a waiting sync', async () => {
  const sync = databaseOver(database.port({ priority: 'background' }));
  const order: string[] = [];
  const work = [1, 2, 3].map((n) => sync.query(slow).then(() => order.push(`sync ${n}`)));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await database.query('select 1').then(() => order.push('person'));
  await Promise.all(work);
  expect(order.indexOf('person')).toBeLessThanOrEqual(1);
  await sync.close();
});

test('rolls back the transaction of a holder that disconnects', async () => {
  await database.query('delete from t');
  const sync = databaseOver(database.port({ priority: 'background' }));
  const abandoned = sync.transaction(async (tx) => {
    await tx.query('insert into t values (9)');
    await sync.close();
    await new Promise(() => undefined);
  });
  abandoned.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await numbers()).toEqual([]);
});

test('waits for a running statement, however long it takes', async () => {
  // Long enough to start on a busy machine, and shorter than the statement.
  const hasty = databaseOver(database.port({ priority: 'interactive' }), { timeout: 1_000 });
  expect((await hasty.query('select count(*) from generate_series(1, 20000000)')).rows).toEqual([
    { count: 20_000_000 },
  ]);
  await hasty.close();
});

test('what has not begun in time is taken back and rejects, and the database goes on', async () => {
  const hasty = databaseOver(database.port({ priority: 'interactive' }), { timeout: 60 });
  const long = database.query(slow);
  const late = await Promise.allSettled([
    hasty.query('insert into t values (7)'),
    hasty.transaction(() => Promise.resolve()),
  ]);
  expect(late).toMatchObject([
    { status: 'rejected', reason: { code: 'timeout' } },
    { status: 'rejected', reason: { code: 'timeout' } },
  ]);
  await long;
  expect(await numbers()).not.toContain(7);
  // A busy machine may need several tries to begin in time.
  await vi.waitFor(
    async () => expect((await hasty.query('select 1 as one')).rows).toEqual([{ one: 1 }]),
    { timeout: 20_000 },
  );
  await hasty.close();
});

test('rejects waiting work when the thread dies, and notifies the owner', async () => {
  const posts = vi.spyOn(Worker.prototype, 'postMessage');
  const heard = Promise.withResolvers<Error>();
  const dying = await openEmbedded({ dataDir: null, onFatal: heard.resolve });
  const worker = posts.mock.contexts.at(-1) as Worker;
  posts.mockRestore();
  const [waited] = await Promise.allSettled([dying.query(slow), worker.terminate()]);
  expect(waited).toMatchObject({ status: 'rejected', reason: { code: 'closed' } });
  expect((await heard.promise).message).toContain('database thread ended');
  await expect(dying.query('select 1')).rejects.toMatchObject({ code: 'closed' });
  await dying.close();
});

test('rejects once closed', async () => {
  const closing = await openEmbedded({ dataDir: null });
  await closing.close();
  await closing.close();
  await expect(closing.query('select 1')).rejects.toMatchObject({ code: 'closed' });
});
