/** A caller that is still sending receives the reply that refuses the body. */
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { getList } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appWithRoutes } from '../../testing/app-with-routes.ts';

const call = searchEndpoint(getList('almalinux_patch'));
const bytes = 4_000_000;
let app: Awaited<ReturnType<typeof appWithRoutes>>;

beforeAll(async () => {
  app = await appWithRoutes((route) => route(call, async () => ({ objList: [], totalCount: 0 })));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

/** Sends a complete body in pieces before it reads the reply. */
async function sendAll(connection: string, length: string): Promise<string> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').pause();
  const failed = new Promise<never>((_, reject) => socket.once('error', reject));
  const piece = 'x'.repeat(bytes / 40);
  const isChunked = length.startsWith('Transfer');
  const sent = async () => {
    socket.write(
      `POST /api${call.path} HTTP/1.1\r\nHost: a\r\nAuthorization: Apikey test\r\nContent-Type: application/json\r\nConnection: ${connection}\r\n${length}\r\n\r\n`,
    );
    for (let n = 0; n < 40; n += 1) {
      const text = isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece;
      await new Promise((resolve) => socket.write(text, resolve));
      await wait(2);
    }
    if (isChunked) await new Promise((resolve) => socket.write('0\r\n\r\n', resolve));
    const reply = await new Promise<Buffer>((resolve) => socket.once('data', resolve).resume());
    return reply.toString();
  };
  return Promise.race([sent(), failed]).finally(() => socket.destroy());
}

test.each([
  ['keep-alive', `Content-Length: ${bytes}`],
  ['close', `Content-Length: ${bytes}`],
  ['keep-alive', 'Transfer-Encoding: chunked'],
  ['close', 'Transfer-Encoding: chunked'],
])('returns 413 to a body over the limit: %s, %s', async (connection, length) => {
  const reply = await sendAll(connection, length);
  expect(reply).toMatch(/^HTTP\/1\.1 413 /);
  expect(reply).toContain('"code":"too_large"');
});
