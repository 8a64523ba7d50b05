import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import * as durations from './statement-durations.ts';

const { statementKind } = durations;
const metrics = () => durations.statementMetrics.metrics();

/** Loads the module anew: earlier test files of the worker may have filled the kinds. */
async function loadAnew(copy: string): Promise<typeof durations> {
  const path = `./statement-durations.ts?${copy}`;
  return (await import(path)) as typeof durations;
}

test.each([
  ['select id from sync_run where id = $1', 'select sync_run'],
  ['\n  SELECT count(*) FROM only Users', 'select users'],
  ['insert into outbox (a) values ($1) on conflict do update set a = 1', 'insert outbox'],
  ['update feed_part set a = $1', 'update feed_part'],
  ['delete from download_job where id = $1', 'delete download_job'],
  ['with gone as (delete from machine returning id) select id from gone', 'delete machine'],
  ['with found as (select id from machine) update client set a = 1', 'update client'],
  ['with found as (select 1 from unnest($1::int[]) join record on true) select 1', 'select'],
  ['select id from outbox order by id for update skip locked', 'select outbox'],
  ['select a from unnest($1::int[]) as a', 'select'],
  ['begin', 'begin'],
  ['set local statement_timeout = 0', 'set'],
  ['?', 'other'],
])('classifies %j as "%s"', (text, kind) => {
  expect(statementKind(text)).toBe(kind);
});

describeWithDatabase('statement metrics', (openFresh) => {
  test('count by kind, also in transactions and when they fail', async () => {
    const database = await openFresh();
    // A kind that other test files of the process have not used is other after 300 kinds.
    const kinds = [
      'select sync_rejection',
      'delete sync_rejection',
      'select sync_summary',
      'other',
    ];
    const count = async () => {
      const text = await metrics();
      const counts = kinds.map((kind) => {
        const name = `patch_database_statement_duration_seconds_count{statement="${kind}"} `;
        return Number(
          text
            .split('\n')
            .find((line) => line.startsWith(name))
            ?.slice(name.length) ?? 0,
        );
      });
      return counts.reduce((sum, each) => sum + each, 0);
    };
    const before = await count();
    await database.query('select * from sync_rejection');
    expect(await count()).toBe(before + 1);
    await database.transaction((tx) => tx.query('delete from sync_rejection where id = $1', [1]));
    expect(await count()).toBe(before + 2);
    await database.query('select nothing_of_this_name from sync_summary').catch(() => undefined);
    expect(await count()).toBe(before + 3);
  });
});

test('counts the statements of threads', async () => {
  const anew = await loadAnew('threads');
  const module = JSON.stringify(new URL('statement-durations.ts', import.meta.url).href);
  const thread = new Worker(
    `import(${module}).then(({ recordStatement }) => {
      recordStatement('select from a_thread', 7);
      setInterval(() => undefined, 1000);
    })`,
    { eval: true },
  );
  await vi.waitFor(
    async () =>
      expect(await anew.statementMetrics.metrics()).toContain(
        '_count{statement="select a_thread"} 1',
      ),
    { timeout: 30_000 },
  );
  await thread.terminate();
});

test('counts further kinds as other when there are too many', async () => {
  const anew = await loadAnew('kinds');
  for (let table = 0; table < 400; table++) anew.recordStatement(`select from table_${table}`, 2);
  const text = await anew.statementMetrics.metrics();
  const kinds = text.match(/_count\{statement="[^"]+"\}/g) ?? [];
  expect(kinds.length).toBe(301);
  expect(text).toMatch(/_sum\{statement="other"\} 0\.[1-9]/);
});
