/** Kills a writing process, its PostgreSQL or both, and checks that acknowledged rows exist. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { queryRows } from '../platform/database/query-rows.ts';
import { openDatabase } from '../platform/database/schema/open-database.ts';
import { childEnvironment } from './child-environment.ts';

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Processes that a round kills. */
export const victims = ['service', 'postmaster', 'both'] as const;
export type Victim = (typeof victims)[number];

const CheckRow = z.object({
  /** Number of rows written beside the work. */
  rows: z.number(),
  /** Number of the last row. */
  last: z.number(),
  /** Records without their detail or their row in the index. */
  torn: z.number(),
  titles: z.number(),
});

/**
 * @param dataDir - Retains its rows from round to round.
 * @returns the last acknowledged row, and the state afterwards.
 */
export async function killAndCheck(
  dataDir: string,
  victim: Victim,
  work: 'write' | 'sync' | 'import',
  workMs: number,
): Promise<z.infer<typeof CheckRow> & { readonly acknowledged: number }> {
  const service = spawn(process.execPath, [toPath('./database-holder.ts'), dataDir, work], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: service.stdout });
  let acknowledged = 0;
  lines.on('line', (line) => {
    if (!/^\d+$/.test(line)) throw new Error(line);
    acknowledged = Number(line);
  });
  await once(lines, 'line');
  await after(workMs);
  if (victim !== 'service') killPostmaster(dataDir);
  if (victim === 'postmaster') {
    // The service restarts it and continues.
    const before = acknowledged;
    for (const until = Date.now() + 120_000; Date.now() < until; await after(20))
      if (acknowledged > before) break;
    if (acknowledged === before) throw new Error('The service did not continue');
  }
  await kill(service);
  const database = await openDatabase({ dataDir, databaseUrl: null });
  try {
    const [found] = await queryRows(
      database,
      CheckRow,
      `select (select count(*) from written) as rows, (select max(n) from written) as last,
         count(*) filter (where detail is null
           or not exists (select from record where list = 'almalinux_patch' and record_id = almalinux_patch.id)) as torn,
         count(distinct title) as titles
       from almalinux_patch where withdrawn_time is null`,
    );
    if (found === undefined) throw new Error('A count returned no row');
    return { ...found, acknowledged };
  } finally {
    await database.close();
  }
}

/**
 * @param dump - Restored over the database of the folder.
 * @returns the output of the command until its end.
 */
export async function killRestore(
  dataDir: string,
  dump: string,
  victim: Victim,
  workMs: number,
): Promise<string> {
  const restore = spawn(
    process.execPath,
    [toPath('../operations/backup/restore-main.ts'), dump, '--replace'],
    { env: { ...childEnvironment, DATA_DIR: dataDir } },
  );
  let printed = '';
  for (const output of [restore.stdout, restore.stderr])
    output.setEncoding('utf8').on('data', (text: string) => (printed += text));
  while (!printed.includes('Restoring into') && !hasEnded(restore)) await after(10);
  await after(workMs);
  if (victim !== 'service' && !hasEnded(restore)) killPostmaster(dataDir);
  if (victim === 'postmaster') {
    if (!hasEnded(restore)) await once(restore, 'exit');
  } else await kill(restore);
  return printed;
}

/** Kills the server, which may have ended by itself. */
function killPostmaster(dataDir: string): void {
  try {
    const file = join(dataDir, 'postgres', 'data', 'postmaster.pid');
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

export async function kill(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
