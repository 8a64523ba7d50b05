/** Measures searches at a million rows, syncs, the reading of documents and what clients fetch, and writes docs/performance.md: npm run bench -- [--rows 1000000] [--only pglite|postgres|reading|clients|hostile|bombs|risk|classes] [--database pglite|postgres, with --only risk or classes] [--seed 1, of classes]. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { openDatabase } from '@patch/server/platform/database/open-database.ts';
import { seededRandom } from '@patch/server/testing/odd-catalogue.ts';
import { findBinaries, startCluster } from '@patch/server/testing/postgres-cluster.ts';
import { z } from 'zod';
import { queryRows } from '../server/platform/database/query-rows.ts';
import { type BenchCase, benchCases } from './bench-cases.ts';
import { type CaseResult, type DatabaseResult, report } from './bench-report.ts';
import { type RunningService, startService } from './bench-service.ts';
import { bombsSection } from './bombs.ts';
import { classesReport } from './classes-report.ts';
import { benchClientProtocol } from './client-protocol.ts';
import { clientReport } from './client-report.ts';
import { benchFirstSync } from './first-sync.ts';
import { hostileReport } from './hostile-report.ts';
import { benchHostileSearches, type HostileResult, keepsPromise } from './hostile-searches.ts';
import { loadCatalogue, sizesOf } from './load-catalogue.ts';
import { measure, type Times, timesOf } from './measure.ts';
import { withSection } from './page-sections.ts';
import { benchReading } from './read-feeds.ts';
import { readingReport } from './reading-report.ts';
import { loadRiskCatalogue } from './risk-catalogue.ts';
import { type RiskResult, riskReport } from './risk-report.ts';
import { benchRiskSearch } from './risk-search.ts';
import { writesBefore, writesSince } from './risk-writes.ts';
import { benchClasses, type ClassesResult } from './search-classes.ts';
import { benchWhileSyncing, type SyncingResult } from './while-syncing.ts';

const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    calls: { type: 'string', default: '100' },
    database: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const rows = Number(given.rows);
const calls = Number(given.calls);
const cache = fileURLToPath(new URL('../.cache/bench', import.meta.url));
const say = (line: string) => process.stdout.write(`${line}\n`);

/** After a start, until what runs once has ended. */
const idleMs = 15_000;

const written = new URL('../docs/performance.md', import.meta.url);

// Measured alone, the other sections keep the figures of the run that measured them.
if (given.only === 'reading') {
  await writeFile(written, withSection(await readFile(written, 'utf8'), await readingSection()));
} else if (given.only === 'clients') {
  await writeFile(written, withSection(await readFile(written, 'utf8'), await clientsSection()));
} else if (given.only === 'hostile') {
  await benchHostile();
} else if (given.only === 'risk') {
  await writeFile(written, withSection(await readFile(written, 'utf8'), await riskSection()));
} else if (given.only === 'classes') {
  await writeFile(written, withSection(await readFile(written, 'utf8'), await classesSection()));
} else if (given.only === 'bombs') {
  await writeFile(written, withSection(await readFile(written, 'utf8'), await bombsSection(say)));
} else {
  await benchAll();
}

async function readingSection(): Promise<string> {
  const section = readingReport(await benchReading(cache, say));
  say(section);
  return section;
}

async function clientsSection(): Promise<string> {
  const section = clientReport(await benchClientProtocol(cache, say));
  say(section);
  return section;
}

async function riskSection(): Promise<string> {
  const results = [
    ...(given.database === 'postgres' ? [] : [await riskOnEmbedded()]),
    ...(given.database === 'pglite' ? [] : [await onServer(riskOf)]),
  ];
  const section = riskReport(results.filter((result) => result !== null));
  say(section);
  return section;
}

async function classesSection(): Promise<string> {
  const results = [
    ...(given.database === 'postgres' ? [] : [await onEmbedded(classesOf)]),
    ...(given.database === 'pglite' ? [] : [await onServer(classesOf)]),
  ];
  const loads = loadavg().map((one) => one.toFixed(1));
  const section = classesReport(
    results.filter((result) => result !== null),
    loads.join(', '),
  );
  say(section);
  return section;
}

async function classesOf(
  ...[name, environment, open, loaded]: Parameters<Bench<ClassesResult>>
): Promise<ClassesResult> {
  const database = await open();
  await load(database, loaded);
  await database.close();
  const seed = Number(given.seed);
  const since = performance.now();
  const service = await startService(environment);
  const started = (performance.now() - since) / 1000;
  try {
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const idle = await service.memory();
    const classes = await benchClasses(service, { rows, random: seededRandom(seed) }, say);
    return {
      database: name,
      rows,
      seed,
      started,
      idle,
      after: await service.memory(),
      classes,
    };
  } finally {
    await service.stop();
  }
}

/** The runs change the risk data: they are measured on a copy of the loaded folder. */
async function riskOnEmbedded(): Promise<RiskResult> {
  const loaded = `${cache}/risk-${rows}`;
  if (!existsSync(`${loaded}/loaded`)) {
    await rm(loaded, { recursive: true, force: true });
    await mkdir(loaded, { recursive: true });
    const database = await openDatabase({ dataDir: loaded, databaseUrl: null });
    await loadRiskCatalogue(database, rows, say);
    await database.close();
    await writeFile(`${loaded}/loaded`, '');
  }
  const dataDir = `${cache}/risk-measured`;
  await rm(dataDir, { recursive: true, force: true });
  await cp(loaded, dataDir, { recursive: true });
  const open = () => openDatabase({ dataDir, databaseUrl: null });
  const result = await riskOf('Embedded PGlite', { DATA_DIR: dataDir }, open, `${dataDir}/loaded`);
  await rm(dataDir, { recursive: true, force: true });
  return result;
}

async function riskOf(
  ...[name, environment, open, loaded]: Parameters<Bench<RiskResult>>
): Promise<RiskResult> {
  const database = await open();
  if (loaded === null) await loadRiskCatalogue(database, rows, say);
  const before = await writesBefore(database);
  await database.close();
  const mirror = `${cache}/risk-mirror`;
  await mkdir(mirror, { recursive: true });
  const service = await startService({ ...environment, FEED_MIRROR: mirror });
  let measures;
  try {
    measures = await benchRiskSearch(service, mirror, say);
  } finally {
    await service.stop();
  }
  const after = await open();
  const writes = await writesSince(after, before);
  await after.close();
  return { database: name, records: rows, writes, ...measures };
}

async function benchAll(): Promise<void> {
  const results: DatabaseResult[] = [];
  let syncing: SyncingResult | null = null;
  if (given.only !== 'postgres') {
    results.push(await onEmbedded(bench));
    syncing = await benchWhileSyncing(
      cache,
      `${cache}/embedded-${rows}`,
      rows,
      Math.min(rows, 20_000),
    );
  }
  if (given.only !== 'pglite') {
    const server = await onServer(bench);
    if (server !== null) results.push(server);
  }
  const page = report(
    results,
    syncing,
    given.only === 'postgres' ? null : await benchFirstSync(cache),
  );
  say(page);
  const sections = [
    await readingSection(),
    await clientsSection(),
    await bombsSection(say),
    await riskSection(),
    await classesSection(),
  ];
  await writeFile(written, sections.reduce(withSection, page));
  await writeHostile(results.flatMap(({ hostile }) => hostile));
}

async function benchHostile(): Promise<void> {
  const embedded = await onEmbedded(hostileOf);
  const server = await onServer(hostileOf);
  await writeHostile(server === null ? [embedded] : [embedded, server]);
}

/** Ends the run as failed when a promise is not kept. */
async function writeHostile(results: readonly HostileResult[]): Promise<void> {
  const section = hostileReport(results);
  say(section);
  await writeFile(written, withSection(await readFile(written, 'utf8'), section));
  if (!results.every(keepsPromise)) process.exitCode = 1;
}

type Bench<Result> = (
  name: string,
  environment: Readonly<Record<string, string>>,
  open: () => Promise<Database>,
  /** A file that says that the rows are there; null: they never are. */
  loaded: string | null,
) => Promise<Result>;

async function hostileOf(
  ...[name, environment, open, loaded]: Parameters<Bench<HostileResult>>
): Promise<HostileResult> {
  const database = await open();
  await load(database, loaded);
  await database.close();
  const service = await startService(environment);
  try {
    return await benchHostileSearches(name, rows, service, say);
  } finally {
    await service.stop();
  }
}

async function load(database: Database, loaded: string | null): Promise<void> {
  if (loaded === null || !existsSync(loaded)) await loadCatalogue(database, rows, say);
  if (loaded !== null) await writeFile(loaded, '');
}

async function onEmbedded<Result>(run: Bench<Result>): Promise<Result> {
  const dataDir = `${cache}/embedded-${rows}`;
  const done = `${dataDir}/loaded`;
  if (!existsSync(done)) await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const open = () => openDatabase({ dataDir, databaseUrl: null });
  return run('Embedded PGlite', { DATA_DIR: dataDir }, open, done);
}

async function onServer<Result>(run: Bench<Result>): Promise<Result | null> {
  const binaries = findBinaries();
  if (binaries === null) {
    say('PostgreSQL is not measured: no server binaries are installed');
    return null;
  }
  const cluster = await startCluster(binaries, {
    shared_buffers: '256MB',
    maintenance_work_mem: '256MB',
    max_wal_size: '4GB',
  });
  const dataDir = `${cache}/server`;
  await mkdir(dataDir, { recursive: true });
  try {
    const open = () => openDatabase({ dataDir, databaseUrl: cluster.url });
    return await run(
      'PostgreSQL server',
      { DATA_DIR: dataDir, DATABASE_URL: cluster.url },
      open,
      null,
    );
  } finally {
    await cluster.stop();
  }
}

async function bench(
  name: string,
  environment: Readonly<Record<string, string>>,
  open: () => Promise<Database>,
  loaded: string | null,
): Promise<DatabaseResult> {
  const database = await open();
  await load(database, loaded);
  const versions = await queryRows(
    database,
    z.object({ version: z.string() }),
    "select 'PostgreSQL ' || current_setting('server_version') as version",
  );
  const sizes = await sizesOf(database);
  const bare = new Map<string, Times>();
  for (const one of benchCases) bare.set(one.name, await measureBare(database, one));
  await database.close();

  const service = await startService(environment);
  try {
    const cases: CaseResult[] = [];
    for (const one of benchCases) {
      const result = {
        ...(await measureService(service, one)),
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

async function measureBare(database: Database, { ask, calls: most }: BenchCase): Promise<Times> {
  const call = async (n: number) => {
    for (const text of ask(n, rows).bare) await database.query(text);
  };
  await call(0);
  return measure(1, most ?? calls, call, 5_000);
}

async function measureService(
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
