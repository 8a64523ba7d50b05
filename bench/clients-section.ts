/** Clients: what licensed clients fetch beside a plain select of the same records, and many of them that poll, beside nginx. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  clientChangesEndpoint,
  heartbeatEndpoint,
  maxChanges,
} from '@patch/contract/licensing/client-protocol-endpoints.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { queryRows } from '@patch/server/platform/database/query-rows.ts';
import { tableColumnsOfList } from '@patch/server/platform/database/rows/list-columns.ts';
import { z } from 'zod';
import { type HttpClient, httpClient } from './bench-client.ts';
import { type BenchDatabase, withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import type { RunningService } from './bench-service.ts';
import { count, exact, megabytes, short, table } from './bench-table.ts';
import { publishErrata } from './document-files.ts';
import { activateClient, createClient } from './licensed-client.ts';
import { errataLoad, list } from './load-records.ts';
import { type MeasuredService, measure, measureInTurn, milliseconds } from './measure-calls.ts';
import { syncWhileCalling } from './sync-calls.ts';

const connections = 16;
const changed = 100;
const tries = 3;
const nginxUrl = process.env['NGINX_URL'] ?? '';
const environment = { TRUST_PROXY: '1' };

export async function clientsSection(options: BenchOptions): Promise<string> {
  if (nginxUrl === '')
    options.say('nginx is not measured: NGINX_URL names no file (docs/commands.md).');
  return withDatabase(options, errataLoad(options), (database) =>
    measureClients(options, database),
  );
}

async function measureClients(options: BenchOptions, database: BenchDatabase): Promise<string> {
  const { rows, cache, clients } = options;
  const mirror = join(cache, 'clients-mirror');
  await publishErrata(mirror, rows, changed);
  const tokens = (await addPollers(database, clients)).map(({ token }) => token);
  const opened = await database.open();
  const select = await quickest(() => selectAll(opened));
  await opened.close();
  const service = await database.start({ ...environment, FEED_MIRROR: mirror });
  try {
    return [
      `### ${count(rows) ?? ''} records`,
      'A plain select reads the same records in the same pages without the service; its seconds are the base of the ratio.',
      await fetchTable(service, tokens[0] ?? '', select),
      `${count(clients) ?? ''} clients with tokens of their own poll the list over ${connections} connections. CPU is that of service and database for each call.`,
      await pollTable(database, service, tokens),
    ].join('\n\n');
  } finally {
    await service.stop();
    await rm(mirror, { recursive: true, force: true });
  }
}

const Poller = z.object({ id: z.number(), token: z.string() });
type Poller = z.infer<typeof Poller>;

/** Registers a client and copies it, each with a token of its own. */
export async function addPollers(
  database: BenchDatabase,
  clients: number,
): Promise<readonly Poller[]> {
  const service = await database.start(environment);
  await activateClient(service);
  await service.stop();
  const opened = await database.open();
  const [row] = await queryRows(
    opened,
    z.object({ names: z.string() }),
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = 'licensed_client' and column_name not in ('id', 'key', 'token_hash', 'code_hash')`,
  );
  const names = row?.names ?? '';
  const pollers = await queryRows(
    opened,
    Poller,
    `insert into licensed_client (key, token_hash, ${names})
     select 'poller ' || n, encode(sha256(('prc_poller_' || n)::bytea), 'hex'), ${names}
     from licensed_client cross join generate_series(1, $1::integer) as n
     returning id, replace(key, 'poller ', 'prc_poller_') as token`,
    [clients],
  );
  await opened.close();
  return pollers;
}

interface Fetched {
  readonly seconds: number;
  readonly rows: number;
  /** Bytes as sent; null of what is not sent. */
  readonly sent: number | null;
  readonly cursor: string | null;
  readonly tag: string;
}

const Position = z.object({ id: z.number(), revision: z.number() });

async function selectAll(database: Database): Promise<Fetched> {
  const columns = tableColumnsOfList(list)
    .map(({ column }) => column)
    .filter((column) => column !== 'id' && column !== 'revision')
    .map((column) => `a.${column}`);
  let [rows, revision, id] = [0, 0, 0];
  const ms = await milliseconds(async () => {
    for (;;) {
      const page = await database.query(
        `select a.id, a.revision, ${columns.join(', ')}, a.withdrawn_time, a.detail::text as detail
         from ${list.key} as a where (a.revision, a.id) > ($1, $2) and a.withdrawn_time is null order by a.revision, a.id limit ${maxChanges}`,
        [revision, id],
      );
      const last = page.rows.at(-1);
      if (last === undefined) return;
      rows += page.rows.length;
      ({ revision, id } = Position.parse(last));
    }
  });
  return { seconds: ms / 1000, rows, sent: null, cursor: null, tag: '' };
}

export function changesPath(cursor: string | null, size = maxChanges): string {
  const since = cursor === null ? '' : `&since=${encodeURIComponent(cursor)}`;
  return `/api${clientChangesEndpoint.path}?list=${list.key}&size=${size}${since}`;
}

/** Fetches to the end, each page parsed as a client does. */
async function fetchAll(client: HttpClient): Promise<Fetched> {
  let [rows, sent] = [0, 0];
  let [cursor, tag]: [string | null, string] = [null, ''];
  const ms = await milliseconds(async () => {
    for (let more = true; more; ) {
      const reply = await client.ask('GET', changesPath(cursor));
      if (reply.status !== 200) throw new Error(`Changes answered ${reply.status}: ${reply.text}`);
      sent += Buffer.byteLength(reply.text);
      const page = JSON.parse(reply.text) as { rows: unknown[]; nextCursor: string; more: boolean };
      rows += page.rows.length;
      tag = String(reply.headers['etag'] ?? '');
      ({ nextCursor: cursor, more } = page);
    }
  });
  return { seconds: ms / 1000, rows, sent, cursor, tag };
}

async function quickest(work: () => Promise<Fetched>): Promise<Fetched> {
  const all: Fetched[] = [];
  for (let n = 0; n < tries; n += 1) all.push(await work());
  return all.reduce((best, one) => (one.seconds < best.seconds ? one : best));
}

async function fetchTable(service: RunningService, token: string, select: Fetched) {
  const client = createClient(service.url, token);
  const plain = await quickest(() => fetchAll(client));
  client.close();
  const line = (name: string, { seconds, rows, sent }: Fetched) => [
    name,
    count(rows),
    exact(seconds),
    count(rows / seconds),
    megabytes(sent),
    exact(seconds / select.seconds),
  ];
  return table(
    ['', 'records', 's', 'records/s', 'sent, MB', 'ratio'],
    [line('plain select', select), line('over HTTP', plain)],
  );
}

async function pollTable(
  database: BenchDatabase,
  service: RunningService,
  tokens: readonly string[],
): Promise<string> {
  const cpu = async () => (await database.usage(service)).cpu;
  const client = createClient(service.url, null, connections);
  const lines: (string | number | null)[][] = [];
  const round = async (name: string, status: number, path: string, tag = '') => {
    const call = async (n: number) => {
      const reply = await client.ask('GET', path, undefined, {
        authorization: `Apikey ${tokens[n % tokens.length] ?? ''}`,
        'if-none-match': tag,
      });
      if (reply.status !== status) throw new Error(`${name} answered ${reply.status}`);
    };
    const peers = status === 304 && nginxUrl !== '' ? [await nginxPeer()] : [];
    const calls = path.includes('since') ? tokens.length : Math.min(8, tokens.length);
    const [own, peer] = await measureInTurn(connections, calls, [{ call, cpu }, ...peers]);
    if (own === undefined) return;
    const { p50, p95, perSecond } = own;
    const ratio = peer === undefined ? null : exact(perSecond / peer.perSecond);
    lines.push([name, own.calls, short(p50), short(p95), exact(own.cpu), count(perSecond), ratio]);
  };
  const one = createClient(service.url, tokens[0] ?? '');
  const { cursor, tag } = await fetchAll(one);
  const since = changesPath(cursor);
  await round('first page of a fetch', 200, changesPath(null));
  await round('nothing new, without an ETag', 200, since);
  await round('nothing new, 304', 304, since, tag);
  await syncWhileCalling(database, service, 'almaLinux');
  await round(`${changed} new records`, 200, since, tag);
  const path = `/api${heartbeatEndpoint.path}`;
  const beat = () =>
    one.expect(200, heartbeatEndpoint.method, path, { applicationVersion: 'bench' });
  const { p50, p95, perSecond, ...beats } = await measure(
    1,
    300,
    async () => void (await beat()),
    cpu,
  );
  lines.push([
    'heartbeat, one client',
    beats.calls,
    short(p50),
    short(p95),
    exact(beats.cpu),
    count(perSecond),
    null,
  ]);
  one.close();
  client.close();
  return table(['', 'calls', 'p50, ms', 'p95', 'CPU, ms', 'a second', 'ratio to nginx'], lines);
}

/** Asks a running nginx for a file with its ETag. */
async function nginxPeer(): Promise<MeasuredService> {
  const client = httpClient(nginxUrl, {}, connections);
  const first = await client.ask('GET', '');
  const headers = { 'if-none-match': String(first.headers['etag'] ?? '') };
  return {
    async call() {
      const { status } = await client.ask('GET', '', undefined, headers);
      if (status !== 304) throw new Error(`nginx answered ${status}`);
    },
  };
}
