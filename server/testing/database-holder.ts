/** A process with the embedded database that works until a test kills it: database-holder.ts <folder> lock|write|sync|import */
import { createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { readRun } from '../ingest/runs/run-store.ts';
import { startSync } from '../ingest/sync/start-sync.ts';
import { startSlowMirror } from '../ingest/testing/slow-mirror.ts';
import type { SmallRecord } from '../ingest/testing/small-feed.ts';
import { withSnapshot } from '../operations/backup/dumped-tables-store.ts';
import { applyBundle } from '../operations/downloads/apply-bundle.ts';
import { bundleSigner } from '../operations/downloads/bundle-manifest.ts';
import { openBundle } from '../operations/downloads/read-bundle.ts';
import { writeBundle } from '../operations/downloads/write-bundle.ts';
import { noNotifications } from '../platform/database/notifications.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { type OpenDatabase, openDatabase } from '../platform/database/schema/open-database.ts';
import { lockFolder } from '../platform/postgres/folder-lock.ts';
import { writeRecords } from './record-factories.ts';

const [dataDir = '', work] = process.argv.slice(2);
const printLine = (line: string) => process.stdout.write(`${line}\n`);
const signal = new AbortController().signal;

/** Prints the number of each row when it is acknowledged. */
async function writeRows(database: OpenDatabase): Promise<never> {
  const [found] = await queryRows(
    database,
    z.object({ last: z.number().nullable() }),
    'select max(n) as last from written',
  );
  for (let n = (found?.last ?? 0) + 1; ; n += 10) {
    try {
      await database.query(
        "insert into written select n, repeat('x', 500) from generate_series($1::bigint, $2::bigint) as n on conflict do nothing",
        [n, n + 9],
      );
    } catch {
      // The server was killed; the rows are sent again.
      n -= 10;
      continue;
    }
    printLine(String(n + 9));
  }
}

/** Builds records whose titles change with each pass. */
const buildRecords = (pass: string) =>
  Array.from({ length: 2_000 }, (_, number) => ({
    id: `R-${number}`,
    title: `Pass ${pass}`,
    severity: 'Low',
    description: 'Words',
  }));

async function syncForever(database: OpenDatabase): Promise<never> {
  const parts: Record<string, SmallRecord[]> = { one: [], two: [] };
  const mirror = await startSlowMirror(parts);
  const sync = await startSync({
    database,
    notifications: noNotifications,
    config: { dataDir, databaseUrl: null, feedMirror: mirror.url, role: 'all' },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    feedsModule: new URL('../ingest/testing/small-feeds.ts', import.meta.url).href,
  });
  for (let pass = Date.now(); ; pass += 1) {
    parts['one'] = buildRecords(String(pass));
    await ignoreFailure(async () => {
      const { id } = await sync.start('almaLinux', 'admin');
      while ((await readRun(database, id))?.endedAt === null) await after(20);
    });
  }
}

const signer = bundleSigner(Buffer.alloc(32, 1));

/** Creates the bundles and returns their paths. */
async function makeBundles(database: OpenDatabase): Promise<readonly string[]> {
  const paths = ['a', 'b'].map((pass) => ({ pass, path: join(dataDir, `bundle-${pass}.zip`) }));
  for (const { pass, path } of paths) {
    if (existsSync(path)) continue;
    await writeRecords(
      database,
      'almalinux_patch',
      buildRecords(pass).map(({ id, description, ...row }) => ({
        key: id,
        row: { bulletinId: id, ...row },
        detail: { description },
      })),
    );
    await withSnapshot(database, (tx) =>
      writeBundle(tx, createWriteStream(path), {
        sources: ['almaLinux'],
        since: null,
        signer,
        now: Date.now(),
      }),
    );
  }
  return paths.map(({ path }) => path);
}

/** Applies the bundles in turn. After each, all titles are from one bundle. */
async function importForever(database: OpenDatabase, paths: readonly string[]): Promise<never> {
  for (;;)
    for (const path of paths)
      await ignoreFailure(async () => {
        const bundle = await openBundle(path, [
          { name: 'this installation', publicKey: signer.publicKey },
        ]);
        const done = { onRows: () => undefined, by: 'admin', clock: Date.now, signal };
        await applyBundle({ database, bundle, ...done }).finally(() => bundle.close());
      });
}

/** Ignores failures, since the server may be killed at any moment; the caller repeats the pass. */
async function ignoreFailure(pass: () => Promise<unknown>): Promise<void> {
  await pass().catch(() => after(50));
}

try {
  if (work === 'lock') {
    lockFolder(dataDir);
    printLine('locked');
    setInterval(() => undefined, 1000);
  } else {
    const database = await openDatabase({ dataDir, databaseUrl: null });
    await database.script('create table if not exists written (n bigint primary key, filler text)');
    const bundles = work === 'import' ? await makeBundles(database) : [];
    await Promise.all([
      writeRows(database),
      work === 'sync' && syncForever(database),
      work === 'import' && importForever(database, bundles),
    ]);
  }
} catch (error) {
  printLine(`refused: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(3);
}
