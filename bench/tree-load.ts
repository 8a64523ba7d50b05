/** Clients of the published tree at once: they ask nginx for head and segments, and the service for keys. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { heartbeatEndpoint } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { headPath, parseHead } from '@patch/contract/tree/tree-head.ts';
import { segmentPath } from '@patch/contract/tree/tree-index.ts';
import { httpClient } from './bench-client.ts';
import { withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import type { RunningService } from './bench-service.ts';
import { count, exact, short, table } from './bench-table.ts';
import { addPollers } from './clients-section.ts';
import { publishErrata } from './document-files.ts';
import { errataLoad } from './load-records.ts';
import { milliseconds, percentiles } from './measure-calls.ts';
import { makeRoot, readEpoch } from './published-root.ts';
import { syncWhileCalling } from './sync-calls.ts';

const rows = 5_000;
const changed = 200;
const minutes = 10;
/** Each client looks once a minute, and sends a heartbeat as often. */
const roundMs = 60_000;
const port = 8086;

/** Returns null where nginx is not installed. */
export async function measureLoad(given: BenchOptions): Promise<string | null> {
  if (spawnSync('nginx', ['-v']).status !== 0) return null;
  const options = { ...given, rows };
  const folder = join(options.cache, 'tree-public');
  const mirror = join(options.cache, 'tree-load-mirror');
  await Promise.all([folder, mirror].map((path) => rm(path, { recursive: true, force: true })));
  await mkdir(mirror, { recursive: true });
  const nginx = await startNginx(options, folder);
  try {
    return await withDatabase(options, errataLoad(options), async (database) => {
      const tokens = (await addPollers(database, options.clients)).map(({ token }) => token);
      await makeRoot(options, { kind: 'folder', path: folder }, await readEpoch(database));
      const service = await database.start({
        TRUST_PROXY: '1',
        FEED_MIRROR: mirror,
        PUBLISH_TO: folder,
        PUBLISHED_AT: `http://127.0.0.1:${port}`,
      });
      try {
        const before = (await database.usage(service)).cpu ?? 0;
        const measured = callAll(service, tokens);
        let syncs = 0;
        for (
          const until = performance.now() + (minutes - 1) * 60_000;
          performance.now() < until;
        ) {
          await publishErrata(mirror, rows + syncs * changed, changed);
          await syncWhileCalling(database, service, 'almaLinux');
          syncs += 1;
          await pause(100_000);
        }
        const { calls, errors } = await measured;
        const cpu = ((await database.usage(service)).cpu ?? 0) - before;
        return [
          `${count(options.clients) ?? ''} clients for ${minutes} minutes: each asks nginx for the head once a minute, and for the newest segment of a list that changed, and sends the service a heartbeat. Meanwhile ${syncs} syncs of ${changed} records are published. ${errors} calls failed. Service and database used ${exact(cpu / 60 / minutes) ?? ''} cores, syncs and publications included.`,
          table(
            ['ms', 'calls', 'p50', 'p95', 'p99', 'longest'],
            Object.entries(calls).map(([name, ms]) => {
              const { p50, p95, p99, longest, calls: made } = percentiles(ms);
              return [name, count(made), short(p50), short(p95), short(p99), short(longest)];
            }),
          ),
        ].join('\n\n');
      } finally {
        await service.stop();
      }
    });
  } finally {
    nginx.kill('SIGTERM');
    await once(nginx, 'exit');
    await Promise.all([folder, mirror].map((path) => rm(path, { recursive: true, force: true })));
  }
}

async function startNginx({ cache }: BenchOptions, folder: string) {
  const own = join(cache, 'nginx');
  await mkdir(own, { recursive: true });
  await mkdir(folder, { recursive: true });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${own};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const config = `${user} daemon off; worker_processes 1; pid ${own}/pid; error_log ${own}/error.log; events { worker_connections 4096; } http { ${paths} access_log off; sendfile on; server { listen 127.0.0.1:${port}; root ${folder}; } }`;
  await writeFile(join(own, 'nginx.conf'), config);
  return spawn('nginx', ['-c', join(own, 'nginx.conf')], { stdio: 'ignore' });
}

interface CalledClients {
  readonly calls: Readonly<Record<string, number[]>>;
  errors: number;
}

async function callAll(service: RunningService, tokens: readonly string[]): Promise<CalledClients> {
  const files = httpClient(`http://127.0.0.1:${port}`, {}, 256);
  const beats = httpClient(service.url, {}, 256);
  const calls = { head: [] as number[], segment: [] as number[], heartbeat: [] as number[] };
  const measured: CalledClients = { calls, errors: 0 };
  const until = performance.now() + minutes * 60_000;
  const timed = async (name: keyof typeof calls, work: () => Promise<void>) => {
    try {
      calls[name].push(await milliseconds(work));
    } catch {
      measured.errors += 1;
    }
  };
  await Promise.all(
    tokens.map(async (token, index) => {
      let tag = '';
      const revisions = new Map<string, number>();
      await pause((index / tokens.length) * roundMs);
      while (performance.now() < until) {
        const next = performance.now() + roundMs;
        const due: string[] = [];
        await timed('head', async () => {
          const { status, text, headers } = await files.ask('GET', `/${headPath}`, undefined, {
            'if-none-match': tag,
          });
          // Nothing is published yet, or nothing new.
          if (status === 404 || status === 304) return;
          if (status !== 200) throw new Error(`The head: ${status}`);
          tag = String(headers['etag'] ?? '');
          const { catalogue, lists } = parseHead(Buffer.from(text));
          for (const { list, revision, newest } of lists) {
            if (revisions.get(list) === revision) continue;
            revisions.set(list, revision);
            due.push(segmentPath({ epoch: catalogue.epoch, list }, newest));
          }
        });
        for (const path of due)
          await timed('segment', async () => {
            await files.expect(200, 'GET', `/${path}`);
          });
        await timed('heartbeat', async () => {
          const { path } = heartbeatEndpoint;
          const { status } = await beats.ask(
            'POST',
            `/api${path}`,
            { applicationVersion: '1.0' },
            {
              authorization: `Apikey ${token}`,
              'x-forwarded-for': `10.1.${index >> 8}.${index & 255}`,
            },
          );
          if (status !== 200) throw new Error(`The heartbeat: ${status}`);
        });
        await pause(Math.max(0, next - performance.now()));
      }
    }),
  );
  files.close();
  beats.close();
  return measured;
}
