/** Measures fleets: taking in machines beside first pages, judging them after a sync, both readings, and what they take on disk. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { contentHash } from '@patch/server/platform/database/content-hash.ts';
import { writeEntries } from '@patch/server/platform/database/entry-writer.ts';
import { queryRows } from '@patch/server/platform/database/query-rows.ts';
import { z } from 'zod';
import { type BenchDatabase, onEach, onEmptyFolder } from './bench-database.ts';
import type { BenchRun } from './bench-run.ts';
import { type RunningService, startService } from './bench-service.ts';
import { fleetErratum, newErrata } from './fleet-generator.ts';
import { type Intake, reportAll, writeReports } from './fleet-intake.ts';
import { fleetReport } from './fleet-report.ts';
import { activatedToken } from './licensed-client.ts';
import { measure, type Times } from './measure.ts';

const alma = listOfKey('almalinux_patch');
const recordsBefore = 5000;
const newRecords = 500;
const entriesABatch = 1000;
/** Machines that are reported once more. */
const maxAgain = 5000;
const maxWaitMs = 20 * 60_000;

export interface FleetResult {
  readonly database: string;
  readonly machines: number;
  readonly intake: Intake;
  readonly again: Intake;
  /** From the last report until all machines are judged for the first time. */
  readonly firstJudged: number;
  /** From the end of the sync until all machines are judged by its records. */
  readonly judged: number;
  /** Machines that were counted again. */
  readonly counted: number;
  readonly ofMachine: Times;
  readonly missingOfMachine: number;
  readonly ofRecord: Times;
  readonly machinesOfRecord: number;
  /** Of all tables of the fleet with their indexes. */
  readonly bytes: number;
  readonly tables: readonly (readonly [string, number])[];
}

export async function fleetSection(run: BenchRun): Promise<string> {
  const onFolder = onEmptyFolder('fleet');
  const section = fleetReport(await onEach(run, (database) => fleetOf(run, database), onFolder));
  run.say(section);
  return section;
}

async function fleetOf(run: BenchRun, database: BenchDatabase): Promise<FleetResult> {
  const { cache, machines, seed, say } = run;
  const folder = join(cache, 'fleet-reports');
  await rm(folder, { recursive: true, force: true });
  try {
    await writeCatalogue(database, seed);
    const errata = join(folder, 'mirror', 'errata.almalinux.org', '9');
    await mkdir(errata, { recursive: true });
    await writeFile(join(errata, 'errata.full.json'), newErrata(seed, recordsBefore, newRecords));
    const files = await writeReports(folder, seed, machines);
    say(`${machines} machines in ${files.length} requests`);
    const rounds = new Rounds();
    const service = await startService(
      { ...database.environment, FEED_MIRROR: join(folder, 'mirror'), LOG_LEVEL: 'info' },
      (line) => rounds.heard(line),
    );
    let measured;
    try {
      measured = await measureFleet(service, { files, machines, rounds, say });
    } finally {
      await service.stop();
    }
    return { database: database.name, machines, ...measured, ...(await sizes(database)) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds up what the fleet thread says that it has done. */
class Rounds {
  counted = 0;
  changedRecords = 0;

  heard(line: string): void {
    const [, told] = /Judged machines: (\{.*?\})/.exec(line.replaceAll('\\"', '"')) ?? [];
    if (told === undefined) return;
    const { changedRecords, countedMachines } = JSON.parse(told) as Record<string, number>;
    this.counted += countedMachines ?? 0;
    this.changedRecords += changedRecords ?? 0;
  }
}

interface FleetToMeasure {
  readonly files: Awaited<ReturnType<typeof writeReports>>;
  readonly machines: number;
  readonly rounds: Rounds;
  readonly say: (line: string) => void;
}

async function measureFleet(
  service: RunningService,
  { files, machines, rounds, say }: FleetToMeasure,
): Promise<Omit<FleetResult, 'database' | 'machines' | 'bytes' | 'tables'>> {
  const token = await activatedToken(service, { reportsMachines: true });
  const intake = await reportAll(service, token, files, 'stored');
  say(
    `${(intake.machines / intake.seconds).toFixed(0)} machines/s taken in, first pages p99 ${intake.firstPage.p99.toFixed(0)} ms`,
  );
  const firstJudged = await waitFor(() => rounds.counted >= machines);
  say(`first judged after ${firstJudged.toFixed(1)} s`);
  const again = await reportAll(
    service,
    token,
    files.slice(0, Math.ceil((files.length * Math.min(maxAgain, machines)) / machines)),
    'unchanged',
  );
  say(`${(again.machines / again.seconds).toFixed(0)} unchanged machines/s`);
  const { counted } = rounds;
  await sync(service);
  const judged = await waitFor(() => rounds.changedRecords >= newRecords);
  say(`judged after ${judged.toFixed(1)} s, ${rounds.counted - counted} machines counted again`);
  return {
    intake,
    again,
    firstJudged,
    judged,
    counted: rounds.counted - counted,
    ...(await readings(service, machines)),
  };
}

/** Seconds until it holds. */
async function waitFor(holds: () => boolean): Promise<number> {
  const since = performance.now();
  while (!holds()) {
    if (performance.now() - since > maxWaitMs) throw new Error('The machines are not judged');
    await after(50);
  }
  return (performance.now() - since) / 1000;
}

async function sync({ client }: RunningService): Promise<void> {
  const started = await client.ask('POST', '/api/linux/patchsync/manual?service=almaLinux');
  if (started.status !== 202) throw new Error(`The sync was not started: ${started.text}`);
  for (let running = true; running; ) {
    await after(50);
    const { text } = await client.ask('GET', '/api/linux/patchsync/isrunning?service=almaLinux');
    ({ running } = JSON.parse(text) as { running: boolean });
  }
}

const Listed = z.object({
  objList: z.array(z.looseObject({ id: z.number().optional(), recordId: z.number().optional() })),
  totalCount: z.number(),
});

async function readings({ client }: RunningService, machines: number) {
  const ask = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const { status, text } = await client.ask(method, `/api${path}`, body);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return text;
  };
  const page = Listed.parse(
    JSON.parse(
      await ask('POST', `/machines/search?size=50&offset=${Math.floor(machines / 2)}`, {}),
    ),
  );
  const ids = page.objList.map(({ id }) => id ?? 0);
  const missing = Listed.parse(JSON.parse(await ask('GET', `/machines/${ids[0] ?? 0}/missing`)));
  const records = missing.objList.slice(0, 50).map(({ recordId }) => recordId ?? 0);
  let most = 0;
  const machinesOf = async (n: number) => {
    const record = records[n % records.length] ?? 0;
    return Listed.parse(JSON.parse(await ask('GET', `/records/${alma.key}/${record}/machines`)))
      .totalCount;
  };
  for (let n = 0; n < records.length; n += 1) most = Math.max(most, await machinesOf(n));
  return {
    missingOfMachine: missing.totalCount,
    machinesOfRecord: most,
    ofMachine: await measure(1, 100, async (n) => {
      await ask('GET', `/machines/${ids[n % ids.length] ?? 0}/missing`);
    }),
    ofRecord: await measure(1, 100, async (n) => void (await machinesOf(n))),
  };
}

async function writeCatalogue({ open }: BenchDatabase, seed: number): Promise<void> {
  const database = await open();
  for (let from = 0; from < recordsBefore; from += entriesABatch) {
    const entries = Array.from({ length: entriesABatch }, (_, place) => {
      const made = fleetErratum(seed, from + place);
      return { ...made, contentHash: contentHash(made.row, made.detail) };
    });
    await database.transaction((tx) => writeEntries(tx, alma, 'made up', entries, Date.now()));
  }
  await database.close();
}

const SizeRow = z.object({ name: z.string(), bytes: z.number() });

async function sizes({ open }: BenchDatabase): Promise<Pick<FleetResult, 'bytes' | 'tables'>> {
  const database = await open();
  const rows = await queryRows(
    database,
    SizeRow,
    `select regexp_replace(relname, '_[0-9]+$', '') as name, sum(pg_total_relation_size(oid))::bigint as bytes from pg_class
     where relkind = 'r' and relname ~ '^(inventory_part|part_missing|part_machines|part_to_count|waiting_sets|missing_record|machine|machine_standing)(_[0-9]+)?$'
     group by 1 order by 2 desc`,
  );
  await database.close();
  return {
    bytes: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    tables: rows.map(({ name, bytes }) => [name, bytes]),
  };
}
