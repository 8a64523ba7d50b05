import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { unchangedRates } from './nginx-peer.ts';

test('counts the replies 304 of each service, and fails on another', async () => {
  let [known, other] = [0, 0];
  const server = createServer(({ headers, url }, reply) => {
    const unchanged = headers['if-none-match'] === '"a"';
    if (url === '/one') known += 1;
    else other += 1;
    reply.writeHead(unchanged ? 304 : 200).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const settings = { connections: 2, rounds: 2, roundMs: 40 };
  try {
    const headers = { 'if-none-match': '"a"' };
    const rates = await unchangedRates(
      [
        { url: `${base}/one`, headers },
        { url: `${base}/two`, headers },
      ],
      settings,
    );
    expect(rates.every((rate) => rate > 0)).toBe(true);
    expect(known).toBeGreaterThan(0);
    expect(other).toBeGreaterThan(0);
    await expect(unchangedRates([{ url: base, headers: {} }], settings)).rejects.toThrow('is 200');
  } finally {
    server.close();
  }
});
