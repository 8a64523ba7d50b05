import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getList } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { expect, test } from 'vitest';
import { appWithRoutes } from '../../testing/app-with-routes.ts';

const call = searchEndpoint(getList('almalinux_patch'));
const headers = { authorization: 'Apikey test', 'content-type': 'application/json' };

test('aborts the signal when the caller closes the connection, but not after a reply', async () => {
  const signals: AbortSignal[] = [];
  const called = Promise.withResolvers<void>();
  const app = await appWithRoutes((answer) =>
    answer(call, async ({ signal, query }) => {
      signals.push(signal);
      called.resolve();
      if (query.size === 2)
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return { objList: [], totalCount: 0 };
    }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const send = (size: number) =>
    request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/api${call.path}?size=${size}`,
      headers,
      agent: false,
    });

  const leaving = send(2).on('error', () => undefined);
  leaving.end('{}');
  await called.promise;
  expect(signals[0]?.aborted).toBe(false);
  leaving.destroy();
  await new Promise((resolve) => signals[0]?.addEventListener('abort', resolve, { once: true }));

  await new Promise((resolve) => {
    const answered = send(1).on('response', (reply) => reply.resume().on('close', resolve));
    answered.end('{}');
  });
  await app.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});
