/** Measures the assessment of one machine against a large catalogue over HTTP: the first call of a service, and warm ones. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { listOfKey } from '@patch/catalogue/lists.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { z } from 'zod';
import { queryRows } from '../server/platform/database/query-rows.ts';
import { type BenchDatabase, onEach } from './bench-database.ts';
import type { BenchRun } from './bench-run.ts';
import { startService } from './bench-service.ts';
import { loadRecords } from './load-catalogue.ts';
import { entriesOfRecord, madeErratum, madeInventory } from './machine-generator.ts';
import { type MachinesResult, machinesReport } from './machines-report.ts';
import { measure } from './measure.ts';

const calls = 40;
/** After the first call, until what a start causes has ended. */
const settleMs = 30_000;

export async function machinesSection(run: BenchRun): Promise<string> {
  // Kept apart from the rows of the searches.
  const own = { ...run, cache: `${run.cache}/machines` };
  const section = machinesReport(await onEach(own, (database) => machinesOf(own, database)));
  run.say(section);
  return section;
}

async function machinesOf(run: BenchRun, bench: BenchDatabase): Promise<MachinesResult> {
  const { rows, say } = run;
  const database = await bench.open();
  if (bench.loaded === null || !existsSync(bench.loaded))
    await loadRecords(database, {
      list: listOfKey('almalinux_patch'),
      rows,
      made: madeErratum,
      withoutWords: true,
      say,
    });
  if (bench.loaded !== null) await writeFile(bench.loaded, '');
  const bytes = await bytesOfFixes(database);
  await database.close();
  const inventory = madeInventory(rows);
  const service = await startService(bench.environment);
  const assess = async (): Promise<Assessment> => {
    const { status, text } = await service.client.ask('POST', '/api/assessments', {
      text: inventory,
    });
    if (status !== 200) throw new Error(`The assessment answered ${status}: ${text}`);
    return JSON.parse(text) as Assessment;
  };
  try {
    const since = performance.now();
    const { machine, missing } = await assess();
    const first = performance.now() - since;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const warm = await measure(1, calls, async () => void (await assess()));
    say(`${bench.name}: first ${first.toFixed(0)} ms, warm ${warm.p50.toFixed(0)} ms`);
    return {
      database: bench.name,
      records: rows,
      entries: rows * entriesOfRecord,
      bytesAnEntry: bytes / (rows * entriesOfRecord),
      packages: machine.packages,
      missing: missing.length,
      first,
      warm,
    };
  } finally {
    await service.stop();
  }
}

const BytesRow = z.object({ bytes: z.number() });

/** Tables with their indexes. */
async function bytesOfFixes(database: Database): Promise<number> {
  const [row] = await queryRows(
    database,
    BytesRow,
    `select sum(pg_total_relation_size(name::regclass))::bigint as bytes
     from unnest(array['package_fix', 'fix_series', 'fix_variant', 'fix_release']) as name`,
  );
  return row?.bytes ?? 0;
}
