import { afterEach, beforeEach, expect, test } from 'vitest';
import { FetchBench } from '../testing/fetch-bench.ts';
import type { Upstream, Validators } from './upstream.ts';

const url = 'https://vendor.example/feed.json';
let bench: FetchBench;
/** Validators of all requests, in their order. */
let requests: (Validators | null)[];

beforeEach(async () => {
  bench = await FetchBench.open();
  requests = [];
});
afterEach(() => bench.close());

/** Answers conditional requests with unchanged, and others with the body. */
function upstream(origin: string, body: string): Upstream {
  return {
    origin,
    async request(_, have) {
      requests.push(have);
      if (have !== null) return { kind: 'unchanged' };
      const pieces = (async function* () {
        yield new TextEncoder().encode(body);
      })();
      return { kind: 'body', body: pieces, length: null, etag: '"1"', lastModified: null };
    },
    close() {},
  };
}

const read = async (from: Upstream, version?: string) => {
  const document = await bench
    .fetcherOver(from)
    .open(url, version === undefined ? {} : { version }, bench.context());
  return document.text();
};

test('sends no condition of one mirror to another', async () => {
  expect(await read(upstream('one', 'of one'))).toBe('of one');
  expect(await read(upstream('one', 'of one'))).toBe('of one');
  expect(await read(upstream('other', 'of the other'))).toBe('of the other');
  expect(await read(upstream('other', 'of the other'))).toBe('of the other');
  expect(requests.map((have) => have?.etag ?? null)).toEqual([null, '"1"', null, '"1"']);
});

test('ignores the version of a copy from another mirror', async () => {
  expect(await read(upstream('one', 'of one'), 'v1')).toBe('of one');
  expect(await read(upstream('one', 'of one'), 'v1')).toBe('of one');
  expect(requests).toHaveLength(1);
  expect(await read(upstream('other', 'of the other'), 'v1')).toBe('of the other');
});

test('accepts a copy with the announced checksum from any origin', async () => {
  const document = await bench.fetcherOver(upstream('one', 'same')).open(url, {}, bench.context());
  const checksum = { algorithm: 'sha256', value: document.sha256 } as const;
  const again = await bench
    .fetcherOver(upstream('other', 'never requests'))
    .open(url, { checksum }, bench.context());
  expect(await again.text()).toBe('same');
  expect(requests).toHaveLength(1);
});
