/** Many licensed clients that poll the real service over a bounded number of connections: what their calls cost it and its database. */

import { readdir, readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { Database } from '@patch/server/platform/database/database.ts';
import { queryRows } from '@patch/server/platform/database/query-rows.ts';
import { z } from 'zod';
import { type Times, timesOf } from './measure.ts';

export interface PollingRound {
  readonly what: string;
  readonly times: Times;
  readonly perSecond: number;
  /** Milliseconds of processor time for each call, of the service and of all database servers. */
  readonly serviceCpu: number;
  readonly databaseCpu: number;
  /** Bytes of the write-ahead log for each call. */
  readonly wal: number;
  /** Transactions of the primary for each call. */
  readonly transactions: number;
  readonly bytes: number;
  /** Statements about the catalogue that each server answered: the primary, then the replicas. */
  readonly shares: readonly number[];
  /** Replies by their status. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Poller {
  readonly token: string;
  cursor: string | null;
  tag: string | null;
}

export interface Polled {
  readonly url: string;
  readonly list: string;
  readonly database: Database;
  readonly connections: number;
}

/** Each of the clients asks once; `pageSize`: records at most. */
export async function pollOnce(
  what: string,
  pollers: readonly Poller[],
  { url, list, database, connections }: Polled,
  pageSize = 5_000,
): Promise<PollingRound> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const before = await stateOf(url, database);
  const begun = performance.now();
  const taken: number[] = [];
  const statuses: Record<string, number> = {};
  let [next, bytes] = [0, 0];
  const work = async () => {
    for (let poller = pollers[next++]; poller !== undefined; poller = pollers[next++]) {
      const since = performance.now();
      const reply = await poll(
        `${url}/api/client/changes?list=${list}&size=${pageSize}`,
        poller,
        agent,
      );
      taken.push(performance.now() - since);
      statuses[reply.status] = (statuses[reply.status] ?? 0) + 1;
      bytes += reply.bytes;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - begun) / 1000;
  const after = await stateOf(url, database);
  agent.destroy();
  const each = (one: number, other: number) => (other - one) / pollers.length;
  return {
    what,
    times: timesOf(taken),
    perSecond: pollers.length / seconds,
    serviceCpu: each(before.serviceCpu, after.serviceCpu) * 1000,
    databaseCpu: each(before.databaseCpu, after.databaseCpu) * 1000,
    wal: each(before.wal, after.wal),
    transactions: each(before.transactions, after.transactions),
    bytes: bytes / pollers.length,
    shares: after.shares.map((share, place) => share - (before.shares[place] ?? 0)),
    statuses,
  };
}

function poll(
  address: string,
  poller: Poller,
  agent: Agent,
): Promise<{ readonly status: number; readonly bytes: number }> {
  const { token, cursor, tag } = poller;
  return new Promise((resolve, reject) => {
    const asked = request(
      cursor === null ? address : `${address}&since=${cursor}`,
      {
        agent,
        headers: {
          authorization: `Apikey ${token}`,
          ...(tag !== null && { 'if-none-match': tag }),
        },
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('error', reject);
        reply.on('end', () => {
          const text = Buffer.concat(chunks);
          const status = reply.statusCode ?? 0;
          if (status === 200) {
            const reached =
              /"nextCursor":"([^"]+)"/.exec(text.subarray(-200).toString())?.[1] ?? null;
            // What is asked next is the same page only when nothing was new.
            poller.tag = reached === cursor ? (reply.headers.etag ?? null) : null;
            poller.cursor = reached;
          }
          resolve({ status, bytes: text.length });
        });
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

const StateRow = z.object({ wal: z.number(), transactions: z.number(), folder: z.string() });

async function stateOf(url: string, database: Database) {
  const [row] = await queryRows(
    database,
    StateRow,
    `select (pg_current_wal_insert_lsn() - '0/0')::bigint as wal, current_setting('data_directory') as folder,
       (select xact_commit from pg_stat_database where datname = current_database()) as transactions`,
  );
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const shares = metrics.matchAll(/^patch_catalogue_statements_total\{server="[^"]+"\} (\d+)/gm);
  return {
    wal: row?.wal ?? 0,
    transactions: row?.transactions ?? 0,
    serviceCpu: Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1] ?? Number.NaN),
    databaseCpu: await cpuOfServers(row?.folder ?? ''),
    shares: Array.from(shares, ([, count]) => Number(count)),
  };
}

/** Clock ticks a second, of every Linux. */
const ticks = 100;

/** Seconds of processor time of the servers whose folders lie beside this one, their backends included. */
async function cpuOfServers(folder: string): Promise<number> {
  const beside = folder.replace(/\/[^/]+$/, '');
  const folders = (await readdir(beside)).map((name) => `${beside}/${name}/postmaster.pid`);
  const files = await Promise.all(folders.map((file) => readFile(file, 'utf8').catch(() => '')));
  const servers = new Set(files.flatMap((text) => text.split('\n')[0] ?? []));
  let sum = 0;
  for (const process of await readdir('/proc')) {
    if (!/^\d+$/.test(process)) continue;
    const stat = await readFile(`/proc/${process}/stat`, 'utf8').catch(() => '');
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const times = rest.slice(9, 13).map(Number);
    // Those that have ended are in the server's own account.
    if (servers.has(process)) sum += times.reduce((all, one) => all + one, 0);
    else if (servers.has(parent ?? '')) sum += (times[0] ?? 0) + (times[1] ?? 0);
  }
  return sum / ticks;
}
