/** Kills services at many moments of their first start, when the cluster is created, and of later ones. */
import { spawn } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { kill } from '../../testing/killed-writer.ts';
import { findProcesses } from '../../testing/running-processes.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openDatabase } from '../database/schema/open-database.ts';

const kills = Number(process.env['KILLS'] ?? 20);
const holder = fileURLToPath(new URL('../../testing/database-holder.ts', import.meta.url));

async function untilNone(dataDir: string): Promise<void> {
  for (const since = Date.now(); ; await after(50)) {
    const left = findProcesses(dataDir);
    if (left.length === 0) return;
    if (Date.now() > since + 30_000) throw new Error(`Still running: ${left.join(', ')}`);
  }
}

test.skipIf(process.platform !== 'linux')(
  `leaves no server after ${kills} kills during a start, after which each folder can be used`,
  async () => {
    for (let round = 0; round < kills; round += 1) {
      const dataDir = temporaryFolder();
      // The first kill of a folder is most often during its creation.
      for (const maxMs of [4_000, 2_000]) {
        const arguments_ = [holder, dataDir, 'write'];
        const service = spawn(process.execPath, arguments_, { stdio: 'ignore' });
        await after(Math.random() * maxMs);
        await kill(service);
        // Half of the next services start while the former server is still ending.
        if (round % 2 === 0) await untilNone(dataDir);
      }
      const database = await openDatabase({ dataDir, databaseUrl: null });
      expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      await after(Math.random() * 3_000);
      expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      await database.close();
    }
  },
);
