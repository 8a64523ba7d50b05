/** Tests that queryRows checks every row. */
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeWithDatabase } from '../../testing/databases.ts';
import { toFailure } from '../http/failure-of.ts';
import { cursorRows } from './cursor-rows.ts';
import type { Database } from './database.ts';
import { jsonObject, TotalRow } from './plain-rows.ts';
import { queryRows, UnexpectedRowError } from './query-rows.ts';

const Person = z.object({ id: z.number(), name: z.string(), email: z.string().nullable() });

describeWithDatabase('rows of queryRows', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.script(
      `create table person (id bigint, name text, email text);
       insert into person values (1, 'Ada', null), (2, null, 'secret@example.com')`,
    );
  });

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.unreachable('The rows were accepted'),
      (error: unknown) => error as UnexpectedRowError,
    );

  test('are returned as the schema types them, without other columns', async () => {
    const rows = await queryRows(
      database,
      Person,
      'select *, 1 as other from person where id = $1',
      [1],
    );
    expect(rows).toEqual([{ id: 1, name: 'Ada', email: null }]);
  });

  test('are refused when a column has another type', async () => {
    const error = await failure(
      queryRows(database, Person, `select 'x' as id, name, email from person where id = 1`),
    );
    expect(error).toBeInstanceOf(UnexpectedRowError);
    expect(error.columns).toEqual(['id']);
    expect(error.message).toContain('column "id": Invalid input: expected number, received string');
  });

  test('are refused when a column is missing', async () => {
    const error = await failure(
      queryRows(database, Person, 'select id, name from person where id = 1'),
    );
    expect(error.columns).toEqual(['email']);
    expect(error.message).toContain('received undefined');
  });

  test('are refused when any row has an unexpected null', async () => {
    const error = await failure(
      queryRows(database, Person, 'select id, name, email from person order by id'),
    );
    expect(error.columns).toEqual(['name']);
    expect(error.message).toContain('expected string, received null');
  });

  test('name the statement and no value when they are refused', async () => {
    const error = await failure(
      queryRows(database, Person, 'select *\n  from person where email = $1', [
        'secret@example.com',
      ]),
    );
    expect(error.message).toContain('Statement: select * from person where email = $1');
    expect(error.message).not.toContain('secret');
  });

  test('name no key of a JSON value when they are refused', async () => {
    const Settings = z.object({ value: z.record(z.string(), z.number()) });
    const error = await failure(
      queryRows(database, Settings, `select $1::text::jsonb as value`, ['{"secret key":"x"}']),
    );
    expect(error.columns).toEqual(['value']);
    expect(error.message).not.toContain('secret');
  });

  test('have numbers for counts, bigint and numeric, and values for JSON', async () => {
    const Numbers = z.object({
      counted: z.number(),
      big: z.number(),
      summed: z.number(),
      average: z.number(),
      nothing: z.number().nullable(),
      json: jsonObject,
      bytes: z.instanceof(Uint8Array),
      words: z.array(z.string()),
    });
    const rows = await queryRows(
      database,
      Numbers,
      `select count(*) as counted, 9007199254740991::bigint as big, sum(id) as summed, avg(id) as average, max(id) filter (where id > 9) as nothing,
         '{"a":1}'::jsonb as json, '\\x01'::bytea as bytes, array['a','b'] as words from person`,
    );
    expect(rows).toMatchObject([
      { counted: 2, big: 9007199254740991, summed: 3, average: 1.5, nothing: null, json: { a: 1 } },
    ]);
    expect(rows[0]?.words).toEqual(['a', 'b']);
  });

  test('are refused when a number is NaN', async () => {
    const error = await failure(
      queryRows(database, TotalRow, `select 'NaN'::numeric as total from person`),
    );
    expect(error.columns).toEqual(['total']);
  });

  test('are checked inside a transaction, which is then rolled back', async () => {
    await failure(
      database.transaction((tx) =>
        queryRows(tx, TotalRow, `update person set name = 'Eve' where id = 1 returning name`),
      ),
    );
    const rows = await queryRows(database, Person, 'select * from person where id = 1');
    expect(rows[0]?.name).toBe('Ada');
  });

  test('are checked when a cursor reads them', async () => {
    const read = database.transaction(async (tx) => {
      for await (const rows of cursorRows(tx, Person, 'select * from person', () => 1))
        expect(rows).toEqual([]);
    });
    expect((await failure(read)).columns).toEqual(['name']);
  });
});

describe('the reply after an UnexpectedRowError', () => {
  test('has status 500 and does not contain the statement', () => {
    const error = new UnexpectedRowError('select secret from users', []);
    const { status, isServerFault, userMessage } = toFailure(error);
    expect({ status, isServerFault }).toEqual({ status: 500, isServerFault: true });
    expect(userMessage).not.toContain('select');
  });
});
