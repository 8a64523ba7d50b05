/** Kills the service, its PostgreSQL or both at random moments of a write, a sync, an import and a restore. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '@patch/contract/operations/settings-endpoints.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpSigner, writeDumpFile } from '../../operations/backup/database-dump.ts';
import { withSnapshot } from '../../operations/backup/dumped-tables-store.ts';
import { killAndCheck, killRestore, victims } from '../../testing/killed-writer.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { findProcesses } from '../../testing/running-processes.ts';
import { TotalRow } from '../database/plain-rows.ts';
import { queryRows } from '../database/query-rows.ts';
import { type OpenDatabase, openDatabase } from '../database/schema/open-database.ts';
import { secretKey } from '../secrets/secret-key.ts';
import { readSettings, writeSettings } from '../settings/settings-store.ts';

const kills = Number(process.env['KILLS'] ?? 20);
const works = ['sync', 'import', 'restore', 'write'] as const;
const rounds = Array.from({ length: kills }, (_, index) => ({
  index,
  work: works[index % works.length] ?? 'write',
  victim: victims[Math.floor(index / works.length) % victims.length] ?? 'both',
}));
const records = 2_000;

describe('the embedded PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'killed-'));
  const toDataDir = (work: (typeof works)[number]) => join(folder, work);
  const dump = join(folder, 'all.sql');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function withRestored<T>(use: (database: OpenDatabase) => Promise<T>): Promise<T> {
    const database = await openDatabase({ dataDir: toDataDir('restore'), databaseUrl: null });
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  }
  const setName = (database: OpenDatabase, name: string) =>
    writeSettings(database, { ...defaultSettings, name });

  beforeAll(async () => {
    for (const work of works) mkdirSync(toDataDir(work));
    const signer = dumpSigner(secretKey({ dataDir: toDataDir('restore'), secretKey: null }));
    await withRestored(async (database) => {
      await setName(database, 'dumped');
      const row = { title: 'Words', severity: 'Low' };
      const rows = Array.from({ length: records }, () => ({ ...row }));
      await writeRows(database, 'almalinux_patch', rows);
      await withSnapshot(database, (tx) => writeDumpFile(tx, dump, 1, signer));
    });
  });

  it.each(rounds.filter(({ work }) => work !== 'restore'))(
    'loses no acknowledged row in kill $index, of $victim during $work',
    async ({ work, victim }) => {
      if (work === 'restore') throw new Error('not here');
      const { acknowledged, rows, last, torn, titles } = await killAndCheck(
        toDataDir(work),
        victim,
        work,
        Math.random() * 4_000,
      );
      expect(last).toBeGreaterThanOrEqual(acknowledged);
      expect(rows).toBe(last);
      expect(torn).toBe(0);
      // An import is applied completely or not at all; the others change titles one by one.
      expect(work === 'import' && titles > 1).toBe(false);
    },
  );

  it.each(rounds.filter(({ work }) => work === 'restore'))(
    'has the previous or the restored database after kill $index, of $victim during a restore',
    async ({ victim, index }) => {
      const before = `before ${index}`;
      await withRestored((database) => setName(database, before));
      const output = await killRestore(toDataDir('restore'), dump, victim, Math.random() * 6_000);
      expect(output).not.toContain('    at ');
      // No start on the folder stops the server.
      const servers = () => findProcesses(toDataDir('restore'));
      await expect.poll(servers, { timeout: 30_000 }).toEqual([]);
      const [name, total] = await withRestored(async (database) => [
        (await readSettings(database)).name,
        (await queryRows(database, TotalRow, 'select count(*) as total from record'))[0]?.total,
      ]);
      expect(output.includes('rows restored') ? ['dumped'] : ['dumped', before]).toContain(name);
      expect(total).toBe(records);
    },
  );
});
