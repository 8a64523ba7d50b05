/** Measures the classes of searches, each with other words each time, with the memory and the start of the same process. */
import { seededRandom } from '@patch/server/testing/odd-catalogue.ts';
import { type BenchDatabase, loadLists, onEach } from './bench-database.ts';
import type { BenchRun } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { classesReport } from './classes-report.ts';
import { benchClasses, type ClassesResult } from './search-classes.ts';

/** After a start, until what runs once has ended. */
const idleMs = 15_000;

export async function classesSection(run: BenchRun): Promise<string> {
  const section = classesReport(await onEach(run, (database) => classesOf(run, database)));
  run.say(section);
  return section;
}

async function classesOf(run: BenchRun, database: BenchDatabase): Promise<ClassesResult> {
  const { rows, seed, say } = run;
  await loadLists(run, database);
  const since = performance.now();
  const service = await startService(database.environment);
  const started = (performance.now() - since) / 1000;
  try {
    await new Promise((resolve) => setTimeout(resolve, idleMs));
    const idle = await service.memory();
    const classes = await benchClasses(service, { rows, random: seededRandom(seed) }, say);
    const after = await service.memory();
    return { database: database.name, rows, seed, started, idle, after, classes };
  } finally {
    await service.stop();
  }
}
