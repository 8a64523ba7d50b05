/** Measures searches at a million rows, syncs, the reading of documents and what clients fetch, and writes docs/performance.md: npm run bench -- [--rows 1000000] [--only pglite|postgres|reading|clients|hostile|bombs|risk|classes|machines|exactness|load|fleet|sync|directus-rows] [--database pglite|postgres, with --only risk, classes, machines, exactness, load, fleet or sync] [--seed 1, of classes, exactness and fleet] [--searches 100000, of exactness] [--minutes 30, of load] [--machines 100000, of fleet] [--megabytes 100, of sync]. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { onEmbedded, onServer } from './bench-database.ts';
import { report } from './bench-report.ts';
import type { BenchRun } from './bench-run.ts';
import { benchHostile, benchSearches } from './bench-searches.ts';
import { bombsSection } from './bombs.ts';
import { classesSection } from './classes-section.ts';
import { benchClientProtocol } from './client-protocol.ts';
import { clientReport } from './client-report.ts';
import { directusAddress } from './directus-peer.ts';
import { writeDirectusRows } from './directus-rows.ts';
import { exactnessSection } from './exactness-section.ts';
import { benchFirstSync } from './first-sync.ts';
import { fleetSection } from './fleet-section.ts';
import { hostileReport } from './hostile-report.ts';
import { type HostileResult, keepsPromise } from './hostile-searches.ts';
import { loadSection } from './load-section.ts';
import { machinesSection } from './machines-section.ts';
import { withSection } from './page-sections.ts';
import { benchReading } from './read-feeds.ts';
import { readingReport } from './reading-report.ts';
import { riskSection } from './risk-section.ts';
import { benchWhileSyncing } from './while-syncing.ts';
import { wholeSyncSection } from './whole-sync-section.ts';

const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    calls: { type: 'string', default: '100' },
    database: { type: 'string' },
    seed: { type: 'string', default: '1' },
    searches: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '30' },
    machines: { type: 'string', default: '100000' },
    megabytes: { type: 'string', default: '100' },
  },
});

const run: BenchRun = {
  rows: Number(given.rows),
  calls: Number(given.calls),
  seed: Number(given.seed),
  searches: Number(given.searches),
  minutes: Number(given.minutes),
  machines: Number(given.machines),
  megabytes: Number(given.megabytes),
  only: databaseNamed(given.only) ?? databaseNamed(given.database),
  directus: directusAddress(process.env),
  cache: fileURLToPath(new URL('../.cache/bench', import.meta.url)),
  say: (line) => process.stdout.write(`${line}\n`),
};

const written = new URL('../docs/performance.md', import.meta.url);

/** Measured alone, the other sections keep the figures of the run that measured them. */
const sections: Readonly<Record<string, (run: BenchRun) => Promise<string>>> = {
  reading: readingSection,
  clients: clientsSection,
  bombs: ({ say }) => bombsSection(say),
  risk: riskSection,
  classes: classesSection,
  machines: machinesSection,
  exactness: exactnessSection,
  load: loadSection,
  fleet: fleetSection,
  sync: wholeSyncSection,
};

/** Which take half an hour or more, and are measured alone. */
const longest = new Set(['exactness', 'load', 'fleet']);

const section = sections[given.only ?? ''];
if (section !== undefined) {
  await writeSection(await section(run));
} else if (given.only === 'hostile') {
  const embedded = await onEmbedded(run, (database) => benchHostile(run, database));
  const server = await onServer(run, (database) => benchHostile(run, database));
  await writeHostile(server === null ? [embedded] : [embedded, server]);
} else if (given.only === 'directus-rows') {
  const path = `${run.cache}/directus-rows-${run.rows}.sql`;
  await writeDirectusRows(path, run.rows);
  run.say(`Load the rows with psql -f ${path}`);
} else {
  await benchAll();
}

function databaseNamed(name: string | undefined): BenchRun['only'] {
  return name === 'pglite' || name === 'postgres' ? name : null;
}

async function writeSection(text: string): Promise<void> {
  await writeFile(written, withSection(await readFile(written, 'utf8'), text));
}

async function readingSection({ cache, say }: BenchRun): Promise<string> {
  const text = readingReport(await benchReading(cache, say));
  say(text);
  return text;
}

async function clientsSection({ cache, say }: BenchRun): Promise<string> {
  const text = clientReport(await benchClientProtocol(cache, say));
  say(text);
  return text;
}

async function benchAll(): Promise<void> {
  const { cache, rows } = run;
  const embedded =
    run.only === 'postgres'
      ? null
      : {
          result: await onEmbedded(run, (database) => benchSearches(run, database)),
          syncing: await benchWhileSyncing(
            cache,
            { DATA_DIR: `${cache}/embedded-${rows}` },
            rows,
            Math.min(rows, 20_000),
          ),
        };
  const server =
    run.only === 'pglite' ? null : await onServer(run, (database) => benchSearches(run, database));
  const results = [embedded?.result ?? null, server].filter((result) => result !== null);
  const page = report(
    results,
    embedded?.syncing ?? null,
    run.only === 'postgres' ? null : await benchFirstSync(cache),
  );
  run.say(page);
  const texts: string[] = [];
  for (const [name, measureSection] of Object.entries(sections))
    if (!longest.has(name)) texts.push(await measureSection(run));
  await writeFile(written, texts.reduce(withSection, page));
  await writeHostile(results.flatMap(({ hostile }) => hostile));
}

/** Ends the run as failed when a promise is not kept. */
async function writeHostile(results: readonly HostileResult[]): Promise<void> {
  const text = hostileReport(results);
  run.say(text);
  await writeSection(text);
  if (!results.every(keepsPromise)) process.exitCode = 1;
}
