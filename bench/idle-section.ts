/** Idle: start, memory (PSS) and processor time of service and database with nothing to do: empty, with the feed mirror's records, and with many records. */
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type BenchDatabase, withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import type { RunningService } from './bench-service.ts';
import { count, exact, megabytes, table } from './bench-table.ts';
import { errataLoad } from './load-records.ts';
import { syncWhileCalling } from './sync-calls.ts';
import { feedMirror, listSources } from './sync-section.ts';

type Line = readonly (string | null)[];

export async function idleSection(options: BenchOptions): Promise<string> {
  const lines = [
    ...(await withDatabase(options, null, (database) => measureSmall(options, database))),
    await withDatabase(options, errataLoad(options), (database) =>
      onStart(options, database, `${count(options.rows) ?? ''} records, warm start`),
    ),
  ];
  return [
    `Memory is the proportional set size of service and database together, ${options.seconds} s after the state is reached; processor time is that of the ${options.seconds} s after it, for each minute.`,
    table(['', 'start to ready, s', 'memory, MB', 'CPU, s a minute'], lines),
  ].join('\n\n');
}

/** Measures an empty catalogue after its first start and a restart, then the mirror's records after their syncs and a restart. */
async function measureSmall(
  options: BenchOptions,
  database: BenchDatabase,
): Promise<readonly Line[]> {
  const lines = [
    await onStart(options, database, 'empty, first start'),
    await onStart(options, database, 'empty, warm start'),
  ];
  if (!existsSync(feedMirror)) {
    options.say('The records of the mirror are not measured: ../shared/feed-mirror is absent.');
    return lines;
  }
  let records = 0;
  lines.push(
    await onStart(options, database, "the mirror's records, after their syncs", async (service) => {
      for (const source of await listSources(options))
        records += (await syncWhileCalling(database, service, source)).run.added;
    }),
    await onStart(options, database, `the mirror's records, warm start`),
  );
  options.say(`${records} records of the mirror`);
  return lines;
}

async function onStart(
  { seconds, say }: BenchOptions,
  database: BenchDatabase,
  state: string,
  prepare: (service: RunningService) => Promise<void> = () => Promise.resolve(),
): Promise<Line> {
  const service = await database.start({ FEED_MIRROR: feedMirror });
  try {
    await prepare(service);
    await pause(seconds * 1000);
    const before = await database.usage(service);
    await pause(seconds * 1000);
    const after = await database.usage(service);
    const cpu =
      before.cpu === null || after.cpu === null ? null : ((after.cpu - before.cpu) * 60) / seconds;
    say(`${state}: ${megabytes(before.pss) ?? '?'} MB`);
    return [state, exact(service.startSeconds), megabytes(before.pss), exact(cpu)];
  } finally {
    await service.stop();
  }
}
