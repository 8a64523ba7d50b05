/** Measures the searches of the bench's cases, through the service and as bare statements. */
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { queryRows } from '@patch/server/platform/database/query-rows.ts';
import { z } from 'zod';
import { type BenchCase, benchCases } from './bench-cases.ts';
import { type BenchDatabase, loadLists } from './bench-database.ts';
import type { CaseResult, DatabaseResult } from './bench-report.ts';
import type { BenchRun } from './bench-run.ts';
import { type RunningService, startService } from './bench-service.ts';
import { benchHostileSearches, type HostileResult } from './hostile-searches.ts';
import { sizesOf } from './load-catalogue.ts';
import { measure, type Times, timesOf } from './measure.ts';

export async function benchSearches(
  run: BenchRun,
  benched: BenchDatabase,
): Promise<DatabaseResult> {
  const { rows, say } = run;
  const { name } = benched;
  await loadLists(run, benched);
  const database = await benched.open();
  const versions = await queryRows(
    database,
    z.object({ version: z.string() }),
    "select 'PostgreSQL ' || current_setting('server_version') as version",
  );
  const sizes = await sizesOf(database);
  const bare = new Map<string, Times>();
  for (const one of benchCases) bare.set(one.name, await measureBare(run, database, one));
  await database.close();

  const service = await startService(benched.environment);
  try {
    const cases: CaseResult[] = [];
    for (const one of benchCases) {
      const result = {
        ...(await measureService(run, service, one)),
        bare: bare.get(one.name) ?? timesOf([]),
      };
      say(
        `${name}: ${one.name}: ${result.one.p50.toFixed(1)} / ${result.one.p95.toFixed(1)} ms, bare ${result.bare.p50.toFixed(1)} ms`,
      );
      cases.push(result);
    }
    const memory = await service.memory();
    const hostile = await benchHostileSearches(name, rows, service, say);
    return { name, version: versions[0]?.version ?? '', rows, sizes, memory, cases, hostile };
  } finally {
    await service.stop();
  }
}

export async function benchHostile(run: BenchRun, database: BenchDatabase): Promise<HostileResult> {
  await loadLists(run, database);
  const service = await startService(database.environment);
  try {
    return await benchHostileSearches(database.name, run.rows, service, run.say);
  } finally {
    await service.stop();
  }
}

async function measureBare(
  { rows, calls }: BenchRun,
  database: Database,
  { ask, calls: most }: BenchCase,
): Promise<Times> {
  const call = async (n: number) => {
    for (const text of ask(n, rows).bare) await database.query(text);
  };
  await call(0);
  return measure(1, most ?? calls, call, 5_000);
}

async function measureService(
  { rows, calls }: BenchRun,
  service: RunningService,
  one: BenchCase,
): Promise<Omit<CaseResult, 'bare'>> {
  const call = async (n: number) => {
    const { query, body } = one.ask(n, rows);
    const { status, text } = await service.client.ask(
      'POST',
      `/api${almalinuxList.searchPath}?${query}`,
      body,
    );
    if (status !== 200) throw new Error(`${one.name} answered ${status}: ${text.slice(0, 500)}`);
  };
  if (one.firstTimeOnly !== true) for (let n = 0; n < 50; n += 1) await call(n);
  const times = await measure(1, one.calls ?? calls, call);
  const eight = one.firstTimeOnly === true ? null : await measure(8, calls * 4, call);
  return { name: one.name, target: one.target, one: times, eight };
}
