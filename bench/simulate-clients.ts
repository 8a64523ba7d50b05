/**
 * Simulates licensed clients against the real service, a PostgreSQL server and its read replicas, and prints what docs/scale.md says:
 * `node scripts/with-runtime.mjs bench/simulate-clients.ts [clients] [connections] [replicas] [records]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { contentHash } from '@patch/server/platform/database/content-hash.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { writeEntries } from '@patch/server/platform/database/entry-writer.ts';
import { openDatabase } from '@patch/server/platform/database/open-database.ts';
import { findBinaries, startCluster } from '@patch/server/testing/postgres-cluster.ts';
import { startService } from './bench-service.ts';
import { madeEntry } from './errata-generator.ts';
import { registerClient } from './licensed-client.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { type Poller, type PollingRound, pollOnce } from './polling-clients.ts';

const list = listOfKey('almalinux_patch');
const [clients = 2_000, connections = 32, replicas = 2, records = 20_000] = process.argv
  .slice(2)
  .map(Number);
/** Clients that fetch the whole list: enough to see what a page costs. */
const fetchers = 8;
const changed = 100;
const pageSize = 5_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Copies of one client, each with a token of its own. */
async function addClients(database: Database, count: number): Promise<readonly Poller[]> {
  const { rows } = await database.query(
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = 'licensed_client' and column_name not in ('id', 'key', 'token_hash', 'code_hash')`,
  );
  const names = String(rows[0]?.['names']);
  await database.query(
    `insert into licensed_client (key, token_hash, ${names})
     select 'simulated ' || n, encode(sha256(('prc_simulated_' || n)::bytea), 'hex'), ${names}
     from licensed_client cross join generate_series(1, $1::integer) as n`,
    [count],
  );
  await database.script('analyze licensed_client');
  return Array.from({ length: count }, (_, n) => ({
    token: `prc_simulated_${n + 1}`,
    cursor: null,
    tag: null,
  }));
}

async function changeRecords(database: Database, round: number): Promise<void> {
  const entries = Array.from({ length: changed }, (_, n) => {
    const { key, row, detail } = madeEntry(n);
    const other = { ...row, title: `Changed ${round} ${n}` };
    return { key, row: other, detail, contentHash: contentHash(other, detail) };
  });
  await database.transaction((tx) => writeEntries(tx, list, 'made up', entries, Date.now()));
}

function tell({ what, times, perSecond, ...round }: PollingRound): void {
  const whole = round.shares.reduce((sum, share) => sum + share, 0);
  const shares = round.shares.map((share) => `${Math.round((100 * share) / Math.max(1, whole))} %`);
  say(
    `| ${what} | ${times.calls} | ${Math.round(perSecond)} | ${times.p50.toFixed(1)} / ${times.p95.toFixed(1)} / ${times.p99.toFixed(1)} | ${round.serviceCpu.toFixed(2)} | ${round.databaseCpu.toFixed(2)} | ${round.transactions.toFixed(1)} | ${Math.round(round.wal)} | ${Math.round(round.bytes)} | ${shares.join(', ')} | ${JSON.stringify(round.statuses)} |`,
  );
}

const binaries = findBinaries();
if (binaries === null) throw new Error('The simulation needs the binaries of a PostgreSQL server');
const folder = await mkdtemp(join(tmpdir(), 'simulation-'));
const cluster = await startCluster(binaries, { shared_buffers: '256MB', synchronous_commit: 'on' });
try {
  const database = await openDatabase({ dataDir: folder, databaseUrl: cluster.url });
  await loadCatalogue(database, records, () => undefined);
  const urls: string[] = [];
  for (let n = 0; n < replicas; n += 1) urls.push((await cluster.addReplica()).url);
  const service = await startService({
    ROLE: 'web',
    DATA_DIR: folder,
    DATABASE_URL: cluster.url,
    DATABASE_READ_URLS: urls.join(','),
  });
  await registerClient(service);
  const pollers = await addClients(database, clients);
  const polled = { url: service.url, list: list.key, database, connections };
  say(
    `${clients} clients, ${connections} connections, ${replicas} replicas, ${records} records, load ${loadavg()[0]?.toFixed(1)}`,
  );
  say(
    '| round | calls | calls/s | p50 / p95 / p99 ms | service CPU ms | database CPU ms | transactions | WAL bytes | reply bytes | shares | statuses |',
  );
  say('|---|---|---|---|---|---|---|---|---|---|---|');
  const first = pollers.slice(0, fetchers);
  for (let page = 0; page * pageSize <= records; page += 1)
    tell(await pollOnce(`first fetch, page ${page + 1}`, first, polled, pageSize));
  const [{ cursor } = { cursor: null }] = first;
  for (const poller of pollers) poller.cursor = cursor;
  tell(await pollOnce('nothing new, first call of a minute', pollers, polled));
  tell(await pollOnce('nothing new, again (304)', pollers, polled));
  await changeRecords(database, 1);
  tell(await pollOnce(`${changed} changed records`, pollers, polled));
  tell(await pollOnce('nothing new, no ETag yet', pollers, polled));
  tell(await pollOnce('nothing new, again (304)', pollers, polled));
  say(`load ${loadavg()[0]?.toFixed(1)}`);
  await service.stop();
  await database.close();
} finally {
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
}
