import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitSending } from './transfer-times.ts';

const timeoutMs = 1_000;
const large = 'x'.repeat(16_000_000);
let app: FastifyInstance;
beforeAll(async () => {
  app = fastify();
  limitSending(app, timeoutMs);
  app.get('/large', async () => large);
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

function ask(): Socket {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

const connections = () =>
  new Promise<number>(
    (resolve) => void app.server.getConnections((_error, count) => resolve(count)),
  );

test('aborts a reply that the caller does not read', async () => {
  const socket = ask();
  socket.pause();
  await once(socket, 'connect');
  expect(await connections()).toBe(1);
  await expect.poll(connections, { timeout: 30_000 }).toBe(0);
  socket.destroy();
});

test('sends a slow caller the complete reply, and accepts its next request', async () => {
  const socket = ask();
  let [bytes, requests] = [0, 1];
  for await (const piece of socket as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes >= large.length * requests && requests === 2) break;
    if (bytes >= large.length * requests) {
      // An idle connection after a complete reply may exceed the limit.
      await after(timeoutMs * 2);
      requests += 1;
      socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    }
    await after(1);
  }
  expect(bytes).toBeGreaterThanOrEqual(large.length * 2);
  socket.destroy();
});
