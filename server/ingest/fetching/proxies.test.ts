/** Documents through the proxies of the environment, and from a mirror with a password. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FetchBench } from '../testing/fetch-bench.ts';
import { httpUpstream } from './http-upstream.ts';

const variables = [
  'http_proxy',
  'HTTP_PROXY',
  'https_proxy',
  'HTTPS_PROXY',
  'no_proxy',
  'NO_PROXY',
];
const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));

let bench: FetchBench;
let server: Server;
let base: string;
/** Methods, addresses and logins of the requests to the server, which also is the proxy. */
const requested: string[] = [];

beforeEach(async () => {
  bench = await FetchBench.open();
  requested.length = 0;
  for (const name of variables) delete process.env[name];
  server = createServer(({ method, url, headers }, response) => {
    requested.push([method, url, headers.authorization].filter(Boolean).join(' '));
    response.end('document');
  });
  server.on('connect', ({ method, url }, socket) => {
    requested.push(`${method} ${url}`);
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const name of variables) {
    const value = before[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  server.closeAllConnections();
  server.close();
  await bench.close();
});

async function read(url: string, mirror: string | null = null): Promise<string> {
  const upstream = httpUpstream(mirror, { answer: 2000, silence: 2000, total: 5000 });
  try {
    const fetcher = bench.fetcherOver(upstream, { tries: 1 });
    return await (await fetcher.open(url, {}, bench.context())).text();
  } finally {
    upstream.close();
  }
}

test('requests an http document from the proxy in HTTP_PROXY', async () => {
  process.env['HTTP_PROXY'] = base;
  expect(await read('http://vendor.example/feed?x=1')).toBe('document');
  expect(requested).toEqual(['GET http://vendor.example/feed?x=1']);
});

test('requests no document of a host in NO_PROXY from the proxy', async () => {
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:9';
  process.env['NO_PROXY'] = 'other.example,127.0.0.1';
  expect(await read(`${base}/feed`)).toBe('document');
  expect(requested).toEqual(['GET /feed']);
});

test('asks the proxy in HTTPS_PROXY for a tunnel, and says what it answers', async () => {
  process.env['HTTPS_PROXY'] = base;
  await expect(read('https://vendor.example/feed')).rejects.toThrow(
    /could not be reached: .*407 Proxy Authentication Required/,
  );
  expect(requested).toEqual(['CONNECT vendor.example:443']);
});

test('does not ask the proxy in HTTP_PROXY for https', async () => {
  process.env['HTTP_PROXY'] = base;
  await expect(read('https://vendor.invalid/feed')).rejects.toThrow('vendor.invalid');
  expect(requested).toEqual([]);
});

test('sends the name and the password in the address of a mirror', async () => {
  const mirror = base.replace('//', '//mirror:p%40ss@');
  expect(await read('https://vendor.example/feed', mirror)).toBe('document');
  const login = Buffer.from('mirror:p@ss').toString('base64');
  expect(requested).toEqual([`GET /vendor.example/feed Basic ${login}`]);
});
