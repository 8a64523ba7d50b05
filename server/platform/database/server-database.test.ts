import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import type { Database } from './database.ts';
import { queryRows } from './query-rows.ts';
import { serverDatabase } from './server-database.ts';

const { url } = inject('cluster');

describe('serverDatabase', () => {
  let database: Database;
  const lost: Error[] = [];
  beforeAll(() => {
    database = serverDatabase({
      url,
      connections: 2,
      statementTimeout: 400,
      onLost: (error) => lost.push(error),
    });
  });
  afterAll(() => database.close());

  test('returns bigint and numeric as numbers without affecting other users of the driver', async () => {
    expect((await database.query('select 5::bigint as b, 1.5::numeric as n')).rows).toEqual([
      { b: 5, n: 1.5 },
    ]);
    const client = new Client({ connectionString: url });
    await client.connect();
    expect((await client.query('select 5::bigint as b')).rows).toEqual([{ b: '5' }]);
    await client.end();
  });

  test('cancels a statement at its timeout', async () => {
    await expect(database.query('select pg_sleep(5)')).rejects.toMatchObject({ code: 'timeout' });
  });

  test('rolls back a failing transaction', async () => {
    await database.script('drop table if exists t; create table t (n int)');
    const failing = database.transaction(async (tx) => {
      await tx.query('insert into t values (1)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect((await database.query('select * from t')).rows).toEqual([]);
  });

  test('rejects with a clear error when a connection is lost in a transaction, and opens a new one', async () => {
    const broken = database.transaction(async (tx) => {
      const rows = await queryRows(
        tx,
        z.object({ pid: z.number() }),
        'select pg_backend_pid() as pid',
      );
      await database.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await tx.query('select 1');
    });
    await expect(broken).rejects.toMatchObject({ name: 'DatabaseError', code: 'connection' });
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('says that a transaction may be stored when the connection is lost during its commit', async () => {
    await database.script(`
      drop table if exists t; create table t (n int);
      create or replace function end_backend() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
      create constraint trigger at_commit after insert on t deferrable initially deferred
        for each row execute function end_backend()`);
    const insert = 'insert into t values (1)';
    const broken = database.transaction(async (tx) => void (await tx.query(insert)));
    await expect(broken).rejects.toMatchObject({
      code: 'commit_unknown',
      message: expect.stringContaining('may have been stored'),
    });
  });

  test('keeps the plans of statements that it repeats, in a pool for requests', async () => {
    const repeat = async (statementTimeout: number) => {
      const single = serverDatabase({ url, connections: 1, statementTimeout });
      try {
        for (let number = 0; number < 6; number += 1) {
          const reply = await single.query('select $1::int as number', [number]);
          expect(reply.rows).toEqual([{ number }]);
        }
        await single.query('select $1::int as other', [3]);
        return (await single.query('select statement from pg_prepared_statements')).rows;
      } finally {
        await single.close();
      }
    };
    expect(await repeat(30_000)).toEqual([{ statement: 'select $1::int as number' }]);
    expect(await repeat(0)).toEqual([]);
  });

  test('reports and replaces lost idle connections', async () => {
    const pids = await Promise.all(
      [1, 2].map(async () => {
        const { rows } = await database.query('select pg_backend_pid() as pid, pg_sleep(0.05)');
        return Number(rows[0]?.['pid']);
      }),
    );
    expect(new Set(pids).size).toBe(2);
    const other = serverDatabase({ url, connections: 1 });
    await other.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
      `{${pids.join()}}`,
    ]);
    await other.close();
    await expect.poll(() => lost.length).toBeGreaterThan(1);
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('names the purpose of the pool when no connection becomes free in time', async () => {
    const small = serverDatabase({
      url,
      purpose: 'searches',
      connections: 1,
      connectTimeout: 1000,
    });
    const running = small.query('select pg_sleep(3)');
    const full = {
      name: 'DatabaseError',
      code: 'pool_full',
      message: expect.stringMatching(
        /^All 1 connections to the database for searches are in use\./,
      ),
    };
    await Promise.all([
      expect(small.query('select 1')).rejects.toMatchObject(full),
      expect(small.transaction(() => Promise.resolve())).rejects.toMatchObject(full),
    ]);
    await running;
    expect((await small.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await small.close();
  });

  test('reports a server that cannot be reached', async () => {
    const nowhere = serverDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
    await expect(nowhere.query('select 1')).rejects.toMatchObject({
      code: 'connection',
      message: expect.stringContaining('cannot be reached'),
    });
    await expect(nowhere.transaction(() => Promise.resolve())).rejects.toMatchObject({
      code: 'connection',
    });
    await nowhere.close();
  });
});
