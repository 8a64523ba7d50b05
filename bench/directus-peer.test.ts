import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { directusAddress, directusPeer, directusQuery } from './directus-peer.ts';
import { containing, naming, productCall } from './search-classes.ts';

const search = { ...containing('ssl', 'upd'), size: 1000, offset: 900, sort: 'title' } as const;

test('asks Directus for what the product is asked for', () => {
  expect(productCall(search)).toEqual({
    query: 'offset=900&size=1000&sort=title',
    body: { filter: "lower(title) like '%ssl%' and lower(title) like '%upd%'" },
  });
  const { filter, ...asked } = Object.fromEntries(directusQuery(search));
  expect(asked).toEqual({ limit: '1000', offset: '900', sort: 'title', meta: 'filter_count' });
  expect(JSON.parse(filter ?? '')).toEqual({
    _and: [{ title: { _icontains: 'ssl' } }, { title: { _icontains: 'upd' } }],
  });
  expect(directusQuery(naming('ALSA-2024:1')).get('search')).toBe('ALSA-2024:1');
});

test('passes the token, and fails when Directus refuses', async () => {
  const server = createServer(({ headers, url }, reply) => {
    const known = headers.authorization === 'Bearer good' && url?.startsWith('/items/errata?');
    reply.writeHead(known === true ? 200 : 403).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const good = directusPeer({ url, token: 'good', collection: 'errata' });
  const bad = directusPeer({ url, token: 'bad', collection: 'errata' });
  try {
    await expect(good.ask(search)).resolves.toBeUndefined();
    await expect(bad.ask(search)).rejects.toThrow('Directus answered 403');
  } finally {
    good.close();
    bad.close();
    server.close();
  }
});

test('is left out without an address, and needs a token with one', () => {
  expect(directusAddress({})).toBeNull();
  expect(() => directusAddress({ DIRECTUS_URL: 'http://127.0.0.1:8055' })).toThrow(
    'DIRECTUS_TOKEN',
  );
});
