/** Measures searches by risk and runs of the risk sources. */
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { type BenchDatabase, embeddedIn, type OnFolder, onEach } from './bench-database.ts';
import type { BenchRun } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { loadRiskCatalogue } from './risk-catalogue.ts';
import { type RiskResult, riskReport } from './risk-report.ts';
import { benchRiskSearch } from './risk-search.ts';
import { writesBefore, writesSince } from './risk-writes.ts';

export async function riskSection(run: BenchRun): Promise<string> {
  const section = riskReport(await onEach(run, (database) => riskOf(run, database), onCopy));
  run.say(section);
  return section;
}

/** The runs change the risk data: they are measured on a copy of the loaded folder. */
const onCopy: OnFolder = async ({ cache, rows, say }, bench) => {
  const loaded = `${cache}/risk-${rows}`;
  if (!existsSync(`${loaded}/loaded`)) {
    await rm(loaded, { recursive: true, force: true });
    await mkdir(loaded, { recursive: true });
    const database = await embeddedIn(loaded, `${loaded}/loaded`).open();
    await loadRiskCatalogue(database, rows, say);
    await database.close();
    await writeFile(`${loaded}/loaded`, '');
  }
  const dataDir = `${cache}/risk-measured`;
  await rm(dataDir, { recursive: true, force: true });
  await cp(loaded, dataDir, { recursive: true });
  const result = await bench(embeddedIn(dataDir, `${dataDir}/loaded`));
  await rm(dataDir, { recursive: true, force: true });
  return result;
};

async function riskOf(
  { cache, rows, say }: BenchRun,
  { name, environment, open, loaded }: BenchDatabase,
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
