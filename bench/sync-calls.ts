/** Syncs a source of a running service and times calls until the run has ended. */
import { setTimeout as pause } from 'node:timers/promises';
import { AuditEntry } from '@patch/contract/sources/run-endpoints.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { z } from 'zod';
import type { BenchDatabase } from './bench-database.ts';
import type { RunningService } from './bench-service.ts';
import { list } from './load-records.ts';
import { milliseconds, percentiles, type Times } from './measure-calls.ts';

export interface SyncMeasured {
  readonly run: Run;
  /** Seconds of the run, without its time in the queue. */
  readonly seconds: number;
  readonly message: string;
  /** Bytes above those before the run, at most; null where the system does not say. */
  readonly memory: number | null;
  /** Times of the calls, by name. */
  readonly times: readonly (readonly [name: string, times: Times])[];
}

/** The n-th call of its kind. */
type Calls = Readonly<Record<string, (n: number) => Promise<unknown>>>;

const AuditReply = z.object({ objList: z.array(AuditEntry) });
/** Rounds of calls between two looks at the run. */
const rounds = 10;

/** Calls that a person waits for. */
export const personCalls = ({ client }: RunningService): Calls => ({
  Health: () => client.expect(200, 'GET', '/api/health'),
  'First page with total': () => client.expect(200, 'POST', `/api${list.searchPath}?size=25`, {}),
});

/** Makes the calls in turn without a pause. Rejects when the run fails. */
export async function syncWhileCalling(
  database: BenchDatabase,
  service: RunningService,
  source: string,
  calls: Calls = {},
): Promise<SyncMeasured> {
  const { client } = service;
  const before = (await database.usage(service)).pss;
  let memory = 0;
  const taken = Object.entries(calls).map(([name, call]) => ({ name, call, ms: [] as number[] }));
  await client.expect(202, 'POST', `/api/linux/patchsync/manual?service=${source}`);
  for (;;) {
    // Reading the memory of all processes costs some milliseconds of a core.
    if (taken.length === 0) await pause(500);
    for (let round = 0; round < rounds; round += 1)
      for (const { call, ms } of taken) ms.push(await milliseconds(() => call(ms.length)));
    memory = Math.max(memory, (await database.usage(service)).pss ?? 0);
    const text = await client.expect(200, 'GET', `/api/windows/fetchAudit/${source}?size=1`);
    const run = AuditReply.parse(JSON.parse(text)).objList[0]?.run;
    if (run === undefined || run.endedAt === null) continue;
    const message = run.message === null ? '' : runMessageText(run.message);
    if (!run.state.startsWith('succeeded')) throw new Error(`${source}: ${run.state} ${message}`);
    return {
      run,
      seconds: (run.endedAt - (run.startedAt ?? run.endedAt)) / 1000,
      message,
      memory: before === null ? null : Math.max(0, memory - before),
      times: taken.map(({ name, ms }) => [name, percentiles(ms)]),
    };
  }
}
