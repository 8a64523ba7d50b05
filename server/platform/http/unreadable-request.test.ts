/** Bytes that are not an HTTP request, over a real connection: refused like every other request, without harm to the service. */
import { type AddressInfo, connect } from 'node:net';
import { Problem } from '@patch/contract/base/problem.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webServer } from './web-server.ts';

describe('rejectUnreadable', () => {
  let app: FastifyInstance;
  const lines: string[] = [];
  beforeAll(async () => {
    app = await webServer({
      log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
      trustProxy: false,
    });
    app.get('/api/there', async () => 'there');
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => app.close());

  function sendAndRead(sent: string): Promise<string> {
    const { port } = app.server.address() as AddressInfo;
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (piece: Buffer) => {
        text += piece.toString('latin1');
      });
      // The service closes the connection while the test still sends.
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
      socket.write(sent, 'latin1');
    });
  }

  const million = 'x'.repeat(1_000_000);
  test.each([
    ['an address of 1 MB', `GET /api/there?text=${million} HTTP/1.1\r\nHost: a\r\n\r\n`, 413],
    ['a cookie of 1 MB', `GET /api/there HTTP/1.1\r\nHost: a\r\nCookie: ${million}\r\n\r\n`, 413],
    [
      'a token of 1 MB',
      `GET /api/there HTTP/1.1\r\nHost: a\r\nAuthorization: Apikey ${million}\r\n\r\n`,
      413,
    ],
    ['a header with U+0000', 'GET /api/there HTTP/1.1\r\nHost: a\r\nCookie: a\0b\r\n\r\n', 400],
    ['an address with U+0000', 'GET /api/there?text=a\0b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    [
      'an address with raw bytes beyond ASCII',
      'GET /api/there?text=\xed\xa0\x80 HTTP/1.1\r\nHost: a\r\n\r\n',
      400,
    ],
    ['no request line', 'GARBAGE\r\n\r\n', 400],
    ['a negative length', 'POST /api/there HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n', 400],
    [
      'a length beyond 64 bits',
      'POST /api/there HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n',
      400,
    ],
    ['a method that does not exist', 'FOO /api/there HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['HTTP/2 without TLS', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ])('refuses %s with a Problem', async (_, sent, status) => {
    const [head = '', body = ''] = (await sendAndRead(sent)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const problem = Problem.parse(JSON.parse(body));
    expect(problem.userMessage).toMatch(/^The .+\.$|^This .+\.$/);
    expect(head).toContain(`X-Request-Id: ${problem.requestId}`);
    expect(lines.join('')).toContain(problem.requestId);
    expect(lines.join('')).not.toContain('xxxxxxxx');
    expect(
      await sendAndRead('GET /api/there HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    ).toMatch(/\r\n\r\nthere$/);
  });
});
