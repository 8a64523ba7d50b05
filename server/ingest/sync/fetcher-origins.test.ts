import { afterEach, beforeEach, expect, test } from 'vitest';
import { FetchBench } from './testing/fetch-bench.ts';
import type { Upstream, Validators } from './upstream.ts';

const url = 'https://vendor.example/feed.json';
let bench: FetchBench;
/** What each upstream was asked by, in their order. */
let asked: (Validators | null)[];

beforeEach(async () => {
  bench = await FetchBench.open();
  asked = [];
});
afterEach(() => bench.close());

/** Says of whatever it is asked with a condition that it is unchanged. */
function upstream(origin: string, body: string): Upstream {
  return {
    origin,
    async ask(_, have) {
      asked.push(have);
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

test('what one mirror said of a document is no condition at another', async () => {
  expect(await read(upstream('one', 'of one'))).toBe('of one');
  expect(await read(upstream('one', 'of one'))).toBe('of one');
  expect(await read(upstream('other', 'of the other'))).toBe('of the other');
  expect(await read(upstream('other', 'of the other'))).toBe('of the other');
  expect(asked.map((have) => have?.etag ?? null)).toEqual([null, '"1"', null, '"1"']);
});

test('nor is the version that it had there', async () => {
  expect(await read(upstream('one', 'of one'), 'v1')).toBe('of one');
  expect(await read(upstream('one', 'of one'), 'v1')).toBe('of one');
  expect(asked).toHaveLength(1);
  expect(await read(upstream('other', 'of the other'), 'v1')).toBe('of the other');
});

test('a checksum holds wherever the copy is from', async () => {
  const document = await bench.fetcherOver(upstream('one', 'same')).open(url, {}, bench.context());
  const checksum = { algorithm: 'sha256', value: document.sha256 } as const;
  const again = await bench
    .fetcherOver(upstream('other', 'never asked'))
    .open(url, { checksum }, bench.context());
  expect(await again.text()).toBe('same');
  expect(asked).toHaveLength(1);
});
