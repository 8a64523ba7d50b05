/** Machines: the assessment of one machine, and a fleet that one licensed client reports: intake, judgement after a sync, disk. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import type { FleetSummary } from '@patch/contract/fleet/machine-endpoints.ts';
import { reportMachinesEndpoint } from '@patch/contract/fleet/machine-report-endpoints.ts';
import { type BenchDatabase, withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import type { RunningService } from './bench-service.ts';
import { count, exact, megabytes, short, table } from './bench-table.ts';
import { timeFirstPages } from './delays-section.ts';
import { publishErrata } from './document-files.ts';
import { activateClient, createClient } from './licensed-client.ts';
import { bytesOnDisk, errataLoad } from './load-records.ts';
import { madeMachine } from './machine-generator.ts';
import { measure, milliseconds, percentiles, type Times } from './measure-calls.ts';
import { syncWhileCalling } from './sync-calls.ts';

const newRecords = 500;
const assessments = 40;
const exposures = 100;
const packagesOfAssessed = 2000;
const packagesOfReported = 600;
/** As the client sends them. */
const machinesOfReport = 200;
const reportsAtOnce = 2;
const fixTables = '^(package_fix|fix_series|fix_variant|fix_release)';
const fleetTables =
  '^(inventory_part|part_missing|part_machines|part_to_count|waiting_sets|missing_record|machine|machine_standing)(_[0-9]+)?$';

type Line = readonly [what: string, value: string | null];

export async function machinesSection(options: BenchOptions): Promise<string> {
  return withDatabase(options, errataLoad(options), async (database) => {
    const lines = await measureMachines(options, database);
    return `### ${count(options.rows) ?? ''} records, ${count(options.machines) ?? ''} machines (${options.fleet})\n\n${table(['', ''], lines)}`;
  });
}

async function measureMachines(
  options: BenchOptions,
  database: BenchDatabase,
): Promise<readonly Line[]> {
  const { cache, rows, machines } = options;
  const mirror = join(cache, 'machines-mirror');
  await publishErrata(mirror, rows, newRecords);
  const reports = Array.from({ length: Math.ceil(machines / machinesOfReport) }, (_, report) =>
    buildReport(options, report * machinesOfReport),
  );
  const judged = { counted: 0, changedRecords: 0 };
  const service = await database.start({ FEED_MIRROR: mirror, LOG_LEVEL: 'info' }, (line) =>
    addJudged(judged, line),
  );
  const lines: Line[] = [];
  try {
    lines.push(
      ...(await measureAssessment(
        options,
        service,
        madeMachine(options.seed, 0, packagesOfAssessed).text,
      )),
    );
    lines.push(...(await measureIntake(service, reports, machines)));
    lines.push([
      'From the last report until all are judged, s',
      await until(() => judged.counted >= machines),
    ]);
    const before = judged.counted;
    await syncWhileCalling(database, service, 'almaLinux');
    const seconds = await until(() => judged.changedRecords >= newRecords);
    lines.push([
      `From the end of a sync of ${newRecords} errata until all are judged, s (${count(judged.counted - before) ?? ''} machines counted again)`,
      seconds,
    ]);
    // The tally follows each judgement: what people ask meanwhile is the figure of first pages above.
    await pause(Math.min(30, options.seconds) * 1000);
    lines.push(...(await measureExposure(service)));
    lines.push(...(await measurePlans(service)));
  } finally {
    await service.stop();
    await rm(mirror, { recursive: true, force: true });
  }
  const opened = await database.open();
  const [fixes, fleet] = [
    await bytesOnDisk(opened, fixTables),
    await bytesOnDisk(opened, fleetTables),
  ];
  await opened.close();
  return [
    ...lines,
    ['Package fixes on disk, MB', megabytes(fixes)],
    ['Fleet on disk, MB', megabytes(fleet)],
  ];
}

async function measureAssessment(
  { seconds }: BenchOptions,
  { client }: RunningService,
  text: string,
): Promise<readonly Line[]> {
  const assess = async () =>
    JSON.parse(await client.expect(200, 'POST', '/api/assessments', { text })) as Assessment;
  let missing = 0;
  let packages = 0;
  const first = await milliseconds(async () => {
    const assessment = await assess();
    missing = assessment.missing.length;
    packages = assessment.machine.packages;
  });
  await pause(Math.min(30, seconds) * 1000);
  const warm = await measure(1, assessments, async () => void (await assess()));
  return [
    [
      `Assessment of ${count(packages) ?? ''} packages that misses ${missing} records, first call, ms`,
      short(first),
    ],
    ['the same again, p50, ms', short(warm.p50)],
    ['p95, ms', short(warm.p95)],
  ];
}

/** Asks for the numbers and the lists of the records that most machines miss. */
async function measureExposure({ client }: RunningService): Promise<readonly Line[]> {
  const ask = async (method: 'GET' | 'POST', path: string, body?: object) =>
    JSON.parse(await client.expect(200, method, path, body)) as unknown;
  const { records } = (await ask('GET', '/api/dashboard/machines')) as FleetSummary;
  const names = records.map(({ misses }) => misses);
  const pick = (call: number) => names[call % names.length] ?? '';
  const search = (name: string) =>
    ask('POST', '/api/machines/search?size=25', { filter: `misses = '${name}'` });
  const numbers = await measureSettled(exposures, (call) =>
    ask('GET', `/api/machines/exposure?misses=${encodeURIComponent(pick(call))}`),
  );
  const list = await measureSettled(exposures, (call) => search(pick(call)));
  const most = records[0]?.machines ?? 0;
  return [
    ...settledLines(`Numbers of a record (missing on up to ${count(most) ?? ''})`, numbers),
    ...settledLines('The list of machines that miss it', list),
  ];
}

interface Settled extends Times {
  /** Milliseconds of the first call. */
  readonly first: number;
}

/** Measures one call after the other, after a quarter as many: the first calls of a service compile what they run. */
async function measureSettled(
  calls: number,
  call: (n: number) => Promise<unknown>,
): Promise<Settled> {
  const run = async (n: number) => void (await call(n));
  const first = await milliseconds(() => run(0));
  await measure(1, Math.ceil(calls / 4), run);
  return { first, ...(await measure(1, calls, run)) };
}

const settledLines = (name: string, { first, p50, p95 }: Settled): readonly Line[] => [
  [`${name}, first call, ms`, short(first)],
  ['p50, ms', short(p50)],
  ['p95, ms', short(p95)],
];

const plans = 20;
const plannedMachines = 1000;

/** Asks for what one machine misses, and plans the updates of many while a person asks for first pages. */
async function measurePlans({ client }: RunningService): Promise<readonly Line[]> {
  const ask = async <Reply>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
    const status = method === 'POST' && path === '/api/machines/plans' ? 201 : 200;
    return JSON.parse(await client.expect(status, method, path, body)) as Reply;
  };
  const { objList } = await ask<{ readonly objList: readonly { readonly id: number }[] }>(
    'POST',
    `/api/machines/search?size=${plannedMachines}`,
    {},
  );
  const ids = objList.map(({ id }) => id);
  const missing = await measureSettled(exposures, (call) =>
    ask('GET', `/api/machines/${ids[call % ids.length] ?? 0}/missing`),
  );
  await ask('POST', '/api/machines/tags', { machines: ids, add: ['planned'] });
  const body = { name: 'Measured', criteria: 'tags.in.planned', choice: 'all' };
  const made: { id: number; machines: number; tasks: readonly unknown[] }[] = [];
  const ended = new AbortController();
  const pages = timeFirstPages(client, ended.signal);
  const planned = await measureSettled(plans, async () => {
    made.push(await ask('POST', '/api/machines/plans', body));
  });
  ended.abort();
  const { p99 } = percentiles(await pages);
  const read = await measureSettled(plans, (call) =>
    ask('GET', `/api/machines/plans/${made[call % made.length]?.id ?? 0}`),
  );
  for (const { id } of made) await ask('DELETE', `/api/machines/plans/${id}`);
  const [first] = made;
  return [
    ...settledLines('What one machine misses', missing),
    ...settledLines(
      `A plan of ${count(first?.machines ?? 0) ?? ''} machines with ${count(first?.tasks.length ?? 0) ?? ''} tasks`,
      planned,
    ),
    ['first pages meanwhile, p99, ms', short(p99)],
    ...settledLines('The plan read again with its states', read),
  ];
}

interface Report {
  readonly body: Buffer;
  readonly machines: number;
}

function buildReport({ seed, machines: all, fleet }: BenchOptions, from: number): Report {
  const machines = Array.from({ length: Math.min(machinesOfReport, all - from) }, (_, index) =>
    madeMachine(seed, from + index, packagesOfReported, fleet),
  );
  const body = gzipSync(JSON.stringify({ machines }), { level: 1 });
  return { body, machines: machines.length };
}

/** Reports the fleet while a person asks for first pages, then once more, unchanged. */
async function measureIntake(
  service: RunningService,
  reports: readonly Report[],
  machines: number,
): Promise<readonly Line[]> {
  const token = await activateClient(service, { reportsMachines: true });
  const client = createClient(service.url, token);
  const lines: Line[] = [];
  for (const state of ['stored', 'unchanged'] as const) {
    const ended = new AbortController();
    const pages = timeFirstPages(service.client, ended.signal);
    const waiting = [...reports];
    const send = async () => {
      for (let report = waiting.shift(); report !== undefined; report = waiting.shift()) {
        const reply = await client.ask(
          reportMachinesEndpoint.method,
          `/api${reportMachinesEndpoint.path}`,
          report.body,
          { 'content-encoding': 'gzip' },
        );
        if (reply.status >= 300)
          throw new Error(`A report answered ${reply.status}: ${reply.text}`);
        const answered = reportMachinesEndpoint.reply.parse(JSON.parse(reply.text)).machines;
        const right = answered.filter((one) => one.state === state && one.unreadableLines === 0);
        if (right.length !== report.machines) throw new Error(`Not all machines are ${state}`);
      }
    };
    const ms = await milliseconds(() => Promise.all(Array.from({ length: reportsAtOnce }, send)));
    ended.abort();
    const { p50, p99 } = percentiles(await pages);
    lines.push(
      [`Machines taken in each second, ${state}`, count((machines * 1000) / ms)],
      ['first pages meanwhile, p50, ms', short(p50)],
      ['p99, ms', short(p99)],
    );
  }
  client.close();
  return lines;
}

/** Adds up the work that the fleet thread logs. */
function addJudged(judged: { counted: number; changedRecords: number }, line: string): void {
  if (!line.includes('"msg":"judged machines"')) return;
  const { changedRecords = 0, countedMachines = 0 } = JSON.parse(line) as Record<string, number>;
  judged.counted += countedMachines;
  judged.changedRecords += changedRecords;
}

/** Returns the seconds until the condition is met. Rejects after 20 minutes. */
async function until(isMet: () => boolean): Promise<string | null> {
  const since = performance.now();
  while (!isMet()) {
    if (performance.now() - since > 20 * 60_000) throw new Error('The machines are not judged');
    await pause(50);
  }
  return exact((performance.now() - since) / 1000);
}
