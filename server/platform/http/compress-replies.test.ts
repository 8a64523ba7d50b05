import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../logging/logging.ts';
import { webServer } from './web-server.ts';

const rows = JSON.stringify(
  Array.from({ length: 200 }, (_, id) => ({ id, title: 'openssl security update' })),
);
const app = await webServer({ log: createLog('silent', { write() {} }), trustProxy: 'loopback' });
app.get('/rows', (_request, reply) =>
  reply.type('application/json; charset=utf-8').send(Buffer.from(rows)),
);
app.get('/row', (_request, reply) => reply.type('application/json; charset=utf-8').send('{}'));
app.get('/text', (_request, reply) => reply.type('text/plain').send(rows));
afterAll(() => app.close());

const ask = (url: string, from: string, accepted: string) =>
  app.inject({ url, headers: { 'x-forwarded-for': from, 'accept-encoding': accepted } });

const opened = { gzip: gunzipSync, zstd: zstdDecompressSync } as const;

test.each([
  ['gzip, deflate, br', 'gzip'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['ZSTD', 'zstd'],
  ['gzip;q=1.0, zstd;q=0.5', 'gzip'],
  ['gzip; q=0.5, zstd; q=0.9', 'zstd'],
  ['zstd;q=0, gzip', 'gzip'],
] as const)(
  'compresses a large reply to a remote address that accepts %s',
  async (accepted, coding) => {
    const reply = await ask('/rows', '192.0.2.1', accepted);
    expect(reply.headers).toMatchObject({ 'content-encoding': coding, vary: 'accept-encoding' });
    expect(reply.rawPayload.length).toBeLessThan(rows.length / 8);
    expect(opened[coding](reply.rawPayload).toString()).toBe(rows);
  },
);

test.each([
  ['/rows', '127.0.0.1', 'gzip'],
  ['/rows', '::1', 'gzip'],
  ['/rows', '192.0.2.1', 'br'],
  ['/rows', '192.0.2.1', 'gzip;q=0, identity'],
  ['/rows', '192.0.2.1', 'gzip;q=0, zstd;q=0.0'],
  ['/rows', '192.0.2.1', 'gzip;q=much'],
  ['/row', '192.0.2.1', 'gzip'],
  ['/text', '192.0.2.1', 'gzip'],
])('does not compress %s to %s that accepts %s', async (url, from, accepted) => {
  const reply = await ask(url, from, accepted);
  expect(reply.headers['content-encoding']).toBeUndefined();
  expect([rows, '{}']).toContain(reply.body);
});
