/** Redirects are limited to the hosts that a document allows. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FetchBench } from '../testing/fetch-bench.ts';
import { httpUpstream } from './http-upstream.ts';

let bench: FetchBench;
let server: Server;
let port: number;
const requested: string[] = [];

beforeEach(async () => {
  bench = await FetchBench.open();
  requested.length = 0;
  server = createServer((request, response) => {
    const { url = '', headers } = request;
    requested.push(`${headers.host?.split(':')[0]}${url}`);
    if (url === '/current') response.writeHead(302, { Location: '/2031-04-01' }).end();
    else if (url === '/moved')
      response.writeHead(301, { Location: `http://localhost:${port}/2031-04-01` }).end();
    else response.end('scores');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await bench.close();
});

async function opened(path: string, redirectHosts?: readonly string[]): Promise<string> {
  const upstream = httpUpstream(null);
  try {
    const document = await bench
      .fetcherOver(upstream)
      .open(
        `http://127.0.0.1:${port}${path}`,
        redirectHosts === undefined ? {} : { redirectHosts },
        bench.context(),
      );
    return await document.text();
  } finally {
    upstream.close();
  }
}

test('follows a redirect to an allowed host', async () => {
  expect(await opened('/current', ['127.0.0.1'])).toBe('scores');
  expect(await opened('/moved', ['127.0.0.1', 'localhost'])).toBe('scores');
});

test('refuses a redirect to another host without a request to it, and names the allowed hosts', async () => {
  await expect(opened('/moved', ['127.0.0.1', 'mirror.example'])).rejects.toThrow(
    `redirects to http://localhost:${port}/2031-04-01, a host that is not allowed (allowed: 127.0.0.1, mirror.example)`,
  );
  expect(requested).toEqual(['127.0.0.1/moved']);
});

test('follows a redirect to any host without allowed hosts', async () => {
  expect(await opened('/moved')).toBe('scores');
});
