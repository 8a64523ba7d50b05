/** A file that fails while it is sent: the caller sees an error, and the log has the reason. */
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { FileStream } from './route.ts';
import { sendReply } from './send-reply.ts';
import { webServer } from './web-server.ts';

test('aborts the connection and logs the reason when the source of a file fails', async () => {
  const lines: string[] = [];
  const app = await webServer({
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
    trustProxy: false,
  });
  async function* text() {
    yield 'Title\r\n';
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error('the search took too long');
  }
  app.get('/api/file', (_request, reply) =>
    sendReply(reply, new FileStream('rows.csv', 'text/csv', Readable.from(text())), null),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const reply = await fetch(`http://127.0.0.1:${port}/api/file`);
  await expect(reply.text()).rejects.toThrow('terminated');
  await app.close();
  const logged = lines.find((line) => line.includes('file not sent completely'));
  expect(logged).toContain('the search took too long');
  expect(logged).toContain(reply.headers.get('x-request-id'));
});
