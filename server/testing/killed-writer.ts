/** Kills a service that writes, or its PostgreSQL, at random moments, and looks for rows that it had acknowledged. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { queryRows } from '../platform/database/query-rows.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';

const holder = fileURLToPath(new URL('./database-holder.ts', import.meta.url));

/** Whom a round kills. */
export const victims = ['service', 'postmaster', 'both'] as const;

/**
 * @param dataDir - Keeps its rows from round to round.
 * @returns the last row that was acknowledged, and what is found afterwards.
 */
export async function killAndLook(
  dataDir: string,
  victim: (typeof victims)[number],
  writeMs: number,
): Promise<{ readonly row: number; readonly last: number; readonly rows: number }> {
  const service = spawn(process.execPath, [holder, dataDir, 'write'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: service.stdout });
  const acknowledged = { row: 0 };
  lines.on('line', (line) => {
    if (!/^\d+$/.test(line)) throw new Error(line);
    acknowledged.row = Number(line);
  });
  await once(lines, 'line');
  await after(writeMs);
  const postmaster = Number(
    readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  if (victim !== 'service') process.kill(postmaster, 'SIGKILL');
  if (victim === 'postmaster') {
    // The service starts it again and goes on.
    const before = acknowledged.row;
    for (const until = Date.now() + 60_000; Date.now() < until; await after(20))
      if (acknowledged.row > before) break;
    if (acknowledged.row === before) throw new Error('The service did not go on');
  }
  await kill(service);
  const { row } = acknowledged;
  const server = await startEmbeddedPostgres({
    dataDir,
  });
  const database = serverDatabase({ url: server.url, connections: 1 });
  try {
    const [found] = await queryRows(
      database,
      z.object({ rows: z.number(), last: z.number() }),
      'select count(*) as rows, max(n) as last from written',
    );
    return { row, last: found?.last ?? 0, rows: found?.rows ?? 0 };
  } finally {
    await database.close();
    await server.stop();
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
