/** How fast a licensed client fetches a list from the real service, page after page, beside a plain select of the same rows in the same run. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listOfKey } from '@patch/catalogue/lists.ts';
import {
  ClientChanges,
  clientChangesEndpoint,
  heartbeatEndpoint,
  maxChanges,
} from '@patch/contract/client-protocol-endpoints.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { columnsOfList } from '@patch/server/platform/database/list-columns.ts';
import { openDatabase } from '@patch/server/platform/database/open-database.ts';
import { findBinaries, startCluster } from '@patch/server/testing/postgres-cluster.ts';
import { z } from 'zod';
import { startService } from './bench-service.ts';
import { activatedToken, type ClientCall, callAs } from './licensed-client.ts';
import { loadCatalogue } from './load-catalogue.ts';
import { measure, type Times } from './measure.ts';
import { startNginx, type Unchanged, unchangedRates } from './nginx-peer.ts';

const list = listOfKey('almalinux_patch');
const records = 100_000;
/** The quickest of so many counts. */
const tries = 3;

export interface FetchedList {
  readonly what: string;
  readonly rows: number;
  readonly pages: number;
  readonly seconds: number;
  /** Of JSON; null of what is not sent. */
  readonly bytes: number | null;
  readonly bytesOnWire: number | null;
}

export interface ClientProtocolResult {
  readonly database: string;
  readonly select: FetchedList;
  readonly fetched: readonly FetchedList[];
  /** Bytes of the service's memory above idle while a list was fetched; null where the system does not tell. */
  readonly memory: number | null;
  readonly nothingNew: Times;
  /** Requests a second that say that nothing is new, over 16 connections. */
  readonly unchanged: number;
  /** The same of an nginx with a file of 1 kB, in turn; null where it is not installed. */
  readonly nginxUnchanged: number | null;
  readonly heartbeat: Times;
}

export async function benchClientProtocol(
  cache: string,
  say: (line: string) => void,
): Promise<readonly ClientProtocolResult[]> {
  const folder = join(cache, 'clients');
  const results: ClientProtocolResult[] = [];
  const on = async (
    name: string,
    environment: Readonly<Record<string, string>>,
    databaseUrl: string | null,
  ) => {
    const dataDir = join(folder, name);
    await mkdir(dataDir, { recursive: true });
    const database = await openDatabase({ dataDir, databaseUrl });
    await loadCatalogue(database, records, say);
    const select = await quickest(() => plainSelect(database));
    await database.close();
    results.push({
      database: name,
      select,
      ...(await benchService({ ...environment, DATA_DIR: dataDir }, say)),
    });
  };
  await rm(folder, { recursive: true, force: true });
  try {
    await on('Embedded PGlite', {}, null);
    const binaries = findBinaries();
    if (binaries === null) say('PostgreSQL is not measured: no server binaries are installed');
    else {
      const cluster = await startCluster(binaries, { shared_buffers: '256MB' });
      try {
        await on('PostgreSQL server', { DATABASE_URL: cluster.url }, cluster.url);
      } finally {
        await cluster.stop();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return results;
}

const Position = z.object({ id: z.number(), revision: z.number() });

/** The columns and details that a client gets, in its order and in pages as large, as the driver hands them over. */
async function plainSelect(database: Database): Promise<FetchedList> {
  const columns = columnsOfList(list).map(({ column }) => `a.${column}`);
  const begun = performance.now();
  let [rows, pages, revision, id] = [0, 0, 0, 0];
  for (;;) {
    const { rows: page } = await database.query(
      `select a.id, a.revision, ${columns.filter((column) => column !== 'a.id' && column !== 'a.revision').join(', ')},
         a.withdrawn_time, d.detail::text as detail
       from ${list.key} as a left join entry_detail as d on d.list = '${list.key}' and d.row_id = a.id
       where (a.revision, a.id) > ($1, $2) and a.withdrawn_time is null order by a.revision, a.id limit ${maxChanges}`,
      [revision, id],
    );
    const last = page.at(-1);
    if (last === undefined) break;
    rows += page.length;
    pages += 1;
    ({ revision, id } = Position.parse(last));
  }
  return {
    what: 'plain select',
    rows,
    pages,
    seconds: (performance.now() - begun) / 1000,
    bytes: null,
    bytesOnWire: null,
  };
}

async function benchService(
  environment: Readonly<Record<string, string>>,
  say: (line: string) => void,
): Promise<Omit<ClientProtocolResult, 'database' | 'select'>> {
  // Replies to this very machine are not compressed: the client is one behind a proxy.
  const service = await startService({ ...environment, TRUST_PROXY: '1' });
  try {
    const token = await activatedToken(service);
    const client = callAs(service.url, token);
    await fetchAll(client, 'gzip');
    const idle = await service.memory();
    let most = idle ?? 0;
    const watching = setInterval(() => {
      void service.memory().then((now) => {
        most = Math.max(most, now ?? 0);
      });
    }, 50);
    const fetched: FetchedList[] = [];
    for (const encoding of ['identity', 'gzip'] as const) {
      const one = await quickest(() => fetchAll(client, encoding));
      say(`${one.what}: ${one.rows} rows in ${one.seconds.toFixed(2)} s`);
      fetched.push(one);
    }
    clearInterval(watching);
    return {
      fetched,
      memory: idle === null ? null : most - idle,
      ...(await nothingNew(client, { url: service.url, token })),
      heartbeat: await measure(1, 300, async () => {
        await client(heartbeatEndpoint.method, heartbeatEndpoint.path, {
          body: { applicationVersion: 'bench' },
        });
      }),
    };
  } finally {
    await service.stop();
  }
}

/** From the beginning to the end, each page unpacked and parsed as a client does. */
async function fetchAll(client: ClientCall, encoding: 'identity' | 'gzip'): Promise<FetchedList> {
  const begun = performance.now();
  let [rows, pages, bytes, bytesOnWire] = [0, 0, 0, 0];
  let cursor: string | null = null;
  for (let more = true; more; ) {
    const reply = await client(clientChangesEndpoint.method, pathOf(cursor), {
      headers: { 'accept-encoding': encoding },
    });
    const text = await reply.text();
    const page = JSON.parse(text) as ClientChanges;
    rows += page.rows.length;
    pages += 1;
    bytes += Buffer.byteLength(text);
    bytesOnWire += Number(reply.headers.get('content-length'));
    ({ nextCursor: cursor, more } = page);
  }
  if (rows !== records) throw new Error(`${rows} records were fetched, not ${records}`);
  const what = encoding === 'gzip' ? 'fetched over HTTP, gzip' : 'fetched over HTTP';
  return { what, rows, pages, seconds: (performance.now() - begun) / 1000, bytes, bytesOnWire };
}

async function nothingNew(
  client: ClientCall,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<Pick<ClientProtocolResult, 'nothingNew' | 'unchanged' | 'nginxUnchanged'>> {
  let cursor: string | null = null;
  for (let more = true; more; ) {
    const page = ClientChanges.parse(
      await (await client(clientChangesEndpoint.method, pathOf(cursor))).json(),
    );
    ({ nextCursor: cursor, more } = page);
  }
  const last = await client(clientChangesEndpoint.method, pathOf(cursor));
  await last.text();
  const headers = { 'if-none-match': last.headers.get('etag') ?? '' };
  const one = await measure(1, 300, async () => {
    const { status } = await client(clientChangesEndpoint.method, pathOf(cursor), { headers });
    if (status !== 304) throw new Error(`Nothing is new, and the answer is ${status}`);
  });
  const rates = await besideNginx({
    url: `${url}/api${pathOf(cursor)}`,
    headers: { ...headers, authorization: `Apikey ${token}`, 'x-forwarded-for': '192.0.2.9' },
  });
  return { nothingNew: one, ...rates };
}

async function besideNginx(product: Unchanged) {
  const nginx = await startNginx();
  try {
    const [unchanged, nginxUnchanged] = await unchangedRates(
      nginx === null ? [product] : [product, nginx],
      { connections: 16, rounds: 3, roundMs: 3_000 },
    );
    return { unchanged: unchanged ?? Number.NaN, nginxUnchanged: nginxUnchanged ?? null };
  } finally {
    await nginx?.stop();
  }
}

function pathOf(cursor: string | null): string {
  const query = new URLSearchParams({
    list: list.key,
    size: String(maxChanges),
    ...(cursor !== null && { since: cursor }),
  });
  return `${clientChangesEndpoint.path}?${query.toString()}`;
}

async function quickest(work: () => Promise<FetchedList>): Promise<FetchedList> {
  let best = await work();
  for (let n = 1; n < tries; n += 1) {
    const next = await work();
    if (next.seconds < best.seconds) best = next;
  }
  return best;
}
