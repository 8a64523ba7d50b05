/** Tests statements that are written as tagged templates. */
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { describeWithDatabase } from '../../testing/databases.ts';
import type { Database } from './database.ts';
import { UnexpectedRowError } from './query-rows.ts';
import { query, sql } from './sql-statement.ts';

const Person = z.object({ id: z.number(), fullName: z.string(), tags: z.array(z.string()) });
const hostile = `x'; drop table person; --`;

describeWithDatabase('statements written as templates', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.script(
      `create table person (id bigint, full_name text, tags jsonb);
       insert into person values (1, 'Ada', '[]'), (2, 'Eve', '["a"]')`,
    );
  });

  test('pass interpolated values as parameters when they contain SQL', async () => {
    const found = await query.value(database, z.string())`select ${hostile}::text`;
    expect(found).toBe(hostile);
    expect(sql`select ${hostile}, ${1}`.text).toBe('select $1, $2');
  });

  test('number the parameters of nested fragments in their order', () => {
    const condition = sql.join([sql`id = ${1}`, sql`full_name = ${'Ada'}`], ' or ');
    const statement = sql`select ${sql.raw('id')} from person where (${condition}) and id < ${9}`;
    expect(statement.text).toBe(
      'select id from person where (id = $1 or full_name = $2) and id < $3',
    );
    expect(statement.values).toEqual([1, 'Ada', 9]);
  });

  test('return the rows, their first, or null without one', async () => {
    const selected = sql`select ${sql.columns(Person)} from person`;
    expect(await query.rows(database, Person)`${selected} order by id desc`).toEqual([
      { id: 2, fullName: 'Eve', tags: ['a'] },
      { id: 1, fullName: 'Ada', tags: [] },
    ]);
    expect((await query.row(database, Person)`${selected} where id = ${2}`)?.fullName).toBe('Eve');
    expect(await query.row(database, Person)`${selected} where id = ${3}`).toBeNull();
  });

  test('return the values of one column, the first, or null without one', async () => {
    expect(await query.values(database, z.number())`select id from person order by id`).toEqual([
      1, 2,
    ]);
    expect(await query.value(database, z.number())`select id from person where id > 5`).toBeNull();
    expect(await query.value(database, z.number().nullable())`select null::int`).toBeNull();
  });

  test('reject when a row that must be there is missing', async () => {
    expect(await query.requiredValue(database, z.number())`select count(*) from person`).toBe(2);
    await expect(
      query.requiredRow(database, Person)`select * from person where full_name = ${hostile}`,
    ).rejects.toThrow('No row: select * from person where full_name = ?');
  });

  test('name the column and no value when it has another type', async () => {
    const read = query.value(database, z.number())`select full_name from person where id = ${1}`;
    const error: unknown = await read.catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(UnexpectedRowError);
    expect((error as UnexpectedRowError).columns).toEqual(['full_name']);
    expect((error as UnexpectedRowError).message).not.toContain('Ada');
  });

  test('insert and update columns by their names in camelCase', async () => {
    const row = { id: 7, fullName: hostile, tags: JSON.stringify(['b']) };
    expect(await query.run(database)`insert into person ${sql.values(row)}`).toBe(1);
    const changes = { fullName: 'Kim', tags: sql`tags || '["c"]'` };
    expect(
      await query.runOne(database)`update person set ${sql.assignments(changes)} where id = ${7}`,
    ).toBe(true);
    expect(
      await query.row(
        database,
        Person,
      )`select ${sql.columns(Person, { id: '7' })} from person where id = 7`,
    ).toEqual({ id: 7, fullName: 'Kim', tags: ['b', 'c'] });
    expect(await query.runOne(database)`delete from person where id = ${8}`).toBe(false);
    expect(await query.run(database)`delete from person where id = ${7}`).toBe(1);
  });

  test.each([hostile, 'a b', '', 'Id', 'a"b'])('refuse a column named %j', (name) => {
    expect(() => sql.values({ [name]: 1 })).toThrow('A column has no such name');
    expect(() => sql.assignments({ [name]: 1 })).toThrow('A column has no such name');
  });
});
