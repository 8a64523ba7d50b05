/** Measures the classes of searches, each with other words each time, with the memory and the start of the same process. */
import { seededRandom } from '@patch/server/testing/odd-catalogue.ts';
import { benchClasses, type ClassesResult } from './bench-classes.ts';
import { type BenchDatabase, loadLists, onEach } from './bench-database.ts';
import type { BenchRun } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { classesReport } from './classes-report.ts';
import { directusPeer } from './directus-peer.ts';
import { benchFirstPages } from './first-pages.ts';
import { benchWhileSyncing } from './while-syncing.ts';

/** After a start, until what runs once has ended. */
const idleMs = 15_000;
/** Of the sync during which the list is searched. */
const synced = 20_000;

export async function classesSection(run: BenchRun): Promise<string> {
  const section = classesReport(await onEach(run, (database) => classesOf(run, database)));
  run.say(section);
  return section;
}

async function classesOf(run: BenchRun, database: BenchDatabase): Promise<ClassesResult> {
  const { rows, seed, cache } = run;
  await loadLists(run, database);
  const measured = await ofOneProcess(run, database);
  const syncing = await benchWhileSyncing(
    cache,
    database.environment,
    rows,
    Math.min(rows, synced),
  );
  return { database: database.name, rows, seed, ...measured, syncing };
}

async function ofOneProcess({ rows, seed, directus, say }: BenchRun, database: BenchDatabase) {
  const since = performance.now();
  const service = await startService(database.environment);
  const started = (performance.now() - since) / 1000;
  const peer = directus === null ? null : directusPeer(directus);
  try {
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const idle = await service.pss();
    const random = seededRandom(seed);
    const classes = await benchClasses(service, { rows, random }, peer, say);
    const after = await service.pss();
    const firstPages = await benchFirstPages(service, { rows, random });
    return { started, idle, after, classes, firstPages };
  } finally {
    peer?.close();
    await service.stop();
  }
}
