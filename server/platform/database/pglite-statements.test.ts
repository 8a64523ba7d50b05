/** A statement that is kept answers as one that is asked once. */
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPglite } from './pglite-session.ts';
import { PgliteStatements } from './pglite-statements.ts';

let pglite: PGlite;
let statements: PgliteStatements;

beforeAll(async () => {
  pglite = await openPglite(null);
});
afterAll(() => pglite.close());

beforeEach(async () => {
  await pglite.exec('deallocate all');
  statements = new PgliteStatements(pglite);
  await statements.exec('drop table if exists thing; create table thing (id int, word text)');
  await pglite.query("insert into thing values (1, 'one'), (2, 'zwölf'), (3, null)");
});

async function keptTexts(): Promise<number> {
  const { rows } = await pglite.query<{ count: number }>(
    "select count(*)::int as count from pg_prepared_statements where name like 'kept%'",
  );
  return rows[0]?.count ?? 0;
}

test.each([
  ['select $1::int as a, $2::text as b, $3::boolean as c', [7, 'ü"\\', true]],
  ['select $1::bigint as big, 12.5::numeric as exact, 1.5::float8 as near', [9007199254740991]],
  ['select null::text as nothing, $1::text is null as given', [null]],
  ['select $1::jsonb as document', [{ a: [1, null, 'x'] }]],
  ['select array[1, 2]::int[] as numbers, array[$1, null]::text[] as words', ['a,"b"']],
  ["select timestamptz '2026-01-02 03:04:05+00' as moment, '\\x00ff'::bytea as bytes", []],
  ['select id, word from thing where id > $1 order by id', [1]],
  ['select id from thing where id = any($1::int[]) order by id', ['{1,3}']],
  ['with added as (insert into thing values ($1, null) returning id) select id from added', [9]],
  ['select from thing where id = $1', [77]],
] as const)('%s', async (text, values) => {
  const once = (await statements.queryOnce(text, values)).rows;
  for (let n = 0; n < 8; n += 1) expect((await statements.query(text, values)).rows).toEqual(once);
});

test('is kept when it comes the second time, and for other values', async () => {
  const text = 'select word from thing where id = $1';
  await statements.query(text, [1]);
  expect(await keptTexts()).toBe(0);
  await statements.query(text, [1]);
  expect(await keptTexts()).toBe(1);
  expect((await statements.query(text, [2])).rows).toEqual([{ word: 'zwölf' }]);
});

test('patterns, long texts and what only writes are not kept', async () => {
  for (let n = 0; n < 3; n += 1) {
    await statements.query('select id from thing where word like $1', ['%o%']);
    await statements.query(`select id from thing where ${'true and '.repeat(2_000)} true`, []);
    const updated = await statements.query('update thing set id = id where id < $1', [3]);
    expect(updated.affectedRows).toBe(2);
  }
  expect(await keptTexts()).toBe(0);
});

test('what writes is kept from one transaction to the next, until tables are changed', async () => {
  const text = 'update thing set word = $1 where id < $2';
  for (let n = 0; n < 3; n += 1) {
    await statements.turn('begin');
    const updated = await statements.queryInside(text, [`word ${n}`, 3]);
    expect(updated.affectedRows).toBe(2);
    await statements.turn(n === 1 ? 'rollback' : 'commit');
  }
  expect(await keptTexts()).toBe(1);
  expect((await statements.queryOnce('select word from thing where id = 1', [])).rows).toEqual([
    { word: 'word 2' },
  ]);
  await statements.exec('alter table thing alter column id type bigint');
  for (let n = 0; n < 2; n += 1)
    await statements.queryInside('insert into thing (id) values ($1)', [5_000_000_000]);
  expect((await statements.queryInside(text, ['all', 6_000_000_000])).affectedRows).toBe(5);
  // Both statements, and nothing of before.
  expect(await keptTexts()).toBe(2);
});

test('a statement of transactions is planned again after some uses', async () => {
  const text = 'select count(*)::int as count from thing where id > $1';
  const names = async () => {
    const { rows } = await pglite.query<{ name: string }>(
      "select name from pg_prepared_statements where name like 'kept%'",
    );
    return rows.map(({ name }) => name);
  };
  for (let n = 0; n < 10; n += 1) await statements.queryInside(text, [1]);
  const [first] = await names();
  for (let n = 0; n < 100; n += 1)
    expect((await statements.queryInside(text, [1])).rows).toEqual([{ count: 2 }]);
  const kept = await names();
  expect(kept).toHaveLength(1);
  expect(kept).not.toContain(first);
});

test('a failure is told and leaves the next statement alone', async () => {
  const text = 'select 1 / $1::int as quotient';
  for (let n = 0; n < 3; n += 1)
    await expect(statements.query(text, [0])).rejects.toMatchObject({ code: '22012' });
  expect((await statements.query(text, [1])).rows).toEqual([{ quotient: 1 }]);
  for (let n = 0; n < 3; n += 1)
    await expect(statements.query('select nothing', [])).rejects.toMatchObject({ code: '42703' });
});

test('sees the columns and the plan of a table that has changed', async () => {
  const text = 'select * from thing where id = 1';
  for (let n = 0; n < 3; n += 1) await statements.query(text, []);
  await statements.exec('alter table thing add column more int default 5');
  expect((await statements.query(text, [])).rows).toEqual([{ id: 1, word: 'one', more: 5 }]);
});

test('forgets what it kept when a transaction ends', async () => {
  const [text, other] = ['select count(*) from thing', 'select max(id) from thing'];
  for (let n = 0; n < 3; n += 1) await statements.query(text, []);
  await statements.exec('begin');
  await statements.queryOnce("insert into thing values (4, 'four')", []);
  await statements.exec('commit');
  for (let n = 0; n < 3; n += 1) await statements.query(other, []);
  expect(await keptTexts()).toBe(1);
});

test('keeps a bounded number', { timeout: 120_000 }, async () => {
  for (let n = 0; n < 300; n += 1) {
    const text = `select ${n} as number`;
    for (let times = 0; times < 2; times += 1)
      expect((await statements.query(text, [])).rows).toEqual([{ number: n }]);
  }
  expect(await keptTexts()).toBeLessThanOrEqual(201);
});
