/** An nginx on loopback that serves one file of 1 kB, where nginx is installed; and the rate at which a service says that nothing is new. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Unchanged {
  readonly url: string;
  /** With what the client knows already. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface NginxPeer extends Unchanged {
  stop(): Promise<void>;
}

/** Debian's packages that bring it: nginx-light or nginx. Null where it is not installed. */
export async function startNginx(): Promise<NginxPeer | null> {
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` };
  if (spawnSync('nginx', ['-v'], { env }).status !== 0) return null;
  const folder = await mkdtemp(join(tmpdir(), 'nginx-peer-'));
  const port = await freePort();
  await writeFile(join(folder, 'page.json'), 'x'.repeat(1024));
  await writeFile(join(folder, 'nginx.conf'), configuration(folder, port));
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    env,
    stdio: 'ignore',
  });
  const ended = once(nginx, 'exit');
  const stop = async () => {
    nginx.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}/page.json`;
  try {
    const tag = (await whenReady(url)).headers.get('etag') ?? '';
    return { url, headers: { 'if-none-match': tag }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** One worker, as the product is one process. Its own user can read the folder, which is nobody else's. */
function configuration(folder: string, port: number): string {
  return `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 256; }
http {
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${folder}; }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free');
  return address.port;
}

async function whenReady(url: string): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetch(url);
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Requests a second that are answered by 304, of each service, measured in turn. */
export async function unchangedRates(
  services: readonly Unchanged[],
  { connections, rounds, roundMs }: Readonly<Record<'connections' | 'rounds' | 'roundMs', number>>,
): Promise<readonly number[]> {
  const counts = services.map(() => 0);
  const seconds = services.map(() => 0);
  const agents = services.map(() => new Agent({ keepAlive: true, maxSockets: connections }));
  for (let round = 0; round < rounds; round += 1)
    for (const [place, service] of services.entries()) {
      const begun = performance.now();
      const ask = async () => {
        while (performance.now() < begun + roundMs) {
          const status = await statusOf(service, agents[place] as Agent);
          if (status !== 304) throw new Error(`Nothing is new, and the answer is ${status}`);
          counts[place] = (counts[place] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: connections }, ask));
      seconds[place] = (seconds[place] ?? 0) + (performance.now() - begun) / 1000;
    }
  for (const agent of agents) agent.destroy();
  return counts.map((count, place) => count / (seconds[place] ?? Number.NaN));
}

function statusOf({ url, headers }: Unchanged, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode ?? 0));
      reply.on('error', reject);
    });
    asked.on('error', reject);
    asked.end();
  });
}
