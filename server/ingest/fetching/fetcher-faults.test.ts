import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FetchFailed, NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { OpenOptions } from '@patch/catalogue/definition/feed.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  describeWithMirror,
  type RunningMirror,
  startFeedMirror,
} from '../../testing/feed-mirror.ts';
import { FetchBench } from '../testing/fetch-bench.ts';
import { Fetcher } from './fetcher.ts';
import { httpUpstream } from './http-upstream.ts';
import type { Upstream } from './upstream.ts';

let bench: FetchBench;

beforeEach(async () => {
  bench = await FetchBench.open();
});
afterEach(() => bench.close());

describeWithMirror('with the feed mirror', () => {
  const url = 'https://errata.almalinux.org/9/errata.full.json';
  const small = 'https://gdmf.apple.com/v2/pmv';
  let mirror: RunningMirror;
  let upstream: Upstream;
  let fetcher: Fetcher;

  beforeAll(async () => {
    mirror = await startFeedMirror();
  });
  afterAll(() => mirror.stop());

  beforeEach(async () => {
    await mirror.fail();
    await mirror.forgetRequests();
    upstream = httpUpstream(mirror.url, { answer: 2000, silence: 300, total: 20_000 });
    fetcher = bench.fetcherOver(upstream);
  });
  afterEach(() => upstream.close());

  const statuses = async (address: string) =>
    (await mirror.requests())[address.replace('https://', '')]?.status;

  test('makes a conditional request the second time, and reads the same document', async () => {
    const first = await fetcher.open(url, {}, bench.context());
    const second = await fetcher.open(url, {}, bench.context());
    expect(second).toMatchObject({ url, sha256: first.sha256, size: first.size });
    expect(await second.text()).toHaveLength((await first.text()).length);
    expect(second.lastModified).toBeTypeOf('number');
    expect(await statuses(url)).toEqual({ 200: 1, 304: 1 });
  });

  test('recovers from two 503 responses with increasing waits', async () => {
    await mirror.fail({ match: 'pmv', kind: 'status', value: 503, times: 2 });
    expect((await fetcher.open(small, {}, bench.context())).size).toBeGreaterThan(0);
    expect(bench.waits).toEqual([1000, 2000]);
  });

  test('reports attempts, duration and meaning of a permanent 503', async () => {
    await mirror.fail({ match: 'pmv', kind: 'status', value: 503 });
    await expect(fetcher.open(small, {}, bench.context())).rejects.toThrow(
      `${small} answered 503 (4 attempts in 7 s). The vendor's server is overloaded or down; the next sync tries again.`,
    );
    expect(await statuses(small)).toEqual({ 503: 4 });
  });

  test('honours Retry-After within limits', async () => {
    await mirror.fail({
      match: 'pmv',
      kind: 'status',
      value: { status: 429, retryAfter: 7 },
      times: 1,
    });
    await fetcher.open(small, {}, bench.context());
    expect(bench.waits).toEqual([7000]);
    await mirror.fail({ match: 'pages', kind: 'status', value: { status: 429, retryAfter: 7200 } });
    await expect(fetcher.open('https://gdmf.apple.com/pages', {}, bench.context())).rejects.toThrow(
      'The vendor limits the number of requests',
    );
    expect(bench.waits).toEqual([7000]);
  });

  test('treats 404 and 410 as not published, and does not retry 403', async () => {
    await expect(fetcher.open('https://gdmf.apple.com/none', {}, bench.context())).rejects.toThrow(
      NotPublished,
    );
    await mirror.fail(
      { match: 'gone', kind: 'status', value: 410 },
      { match: 'forbidden', kind: 'status', value: 403 },
    );
    await expect(fetcher.open('https://gdmf.apple.com/gone', {}, bench.context())).rejects.toThrow(
      NotPublished,
    );
    await expect(
      fetcher.open('https://gdmf.apple.com/forbidden', {}, bench.context()),
    ).rejects.toThrow('answered 403. The vendor, or a proxy');
    expect(bench.waits).toEqual([]);
  });

  test('never stores a truncated body, and recovers', async () => {
    await mirror.fail({ match: 'alma', kind: 'truncate', value: 1000 });
    await expect(fetcher.open(url, {}, bench.context())).rejects.toThrow(
      /broke off after 1,000 of \d,\d{3},\d{3} bytes \(4 attempts in 7 s\)\./,
    );
    expect(await readdir(join(bench.folder, 'cache/bodies'))).toEqual([]);
    expect(await readdir(join(bench.folder, 'cache/arriving'))).toEqual([]);
    await mirror.fail({ match: 'alma', kind: 'truncate', times: 1 });
    expect((await fetcher.open(url, {}, bench.context())).size).toBeGreaterThan(1000);
  });

  test('ends a stalled response', async () => {
    await mirror.fail({ match: 'alma', kind: 'stall', value: 5000 });
    await expect(
      bench.fetcherOver(upstream, { tries: 1 }).open(url, {}, bench.context()),
    ).rejects.toThrow('sent no data for 0.3 s');
    await mirror.fail({ match: 'alma', kind: 'stall', times: 1 });
    expect((await fetcher.open(url, {}, bench.context())).size).toBeGreaterThan(1000);
  });

  test('waits for a slow response up to the limit', async () => {
    await mirror.fail({ match: 'pmv', kind: 'slow', value: 400_000 });
    expect((await fetcher.open(small, {}, bench.context())).size).toBeGreaterThan(0);
    await mirror.fail({ match: 'alma', kind: 'slow', value: 10_000 });
    const impatient = httpUpstream(mirror.url, { answer: 2000, silence: 300, total: 500 });
    await expect(bench.fetcherOver(impatient).open(url, {}, bench.context())).rejects.toThrow(
      'was not complete after 0.5 s',
    );
    impatient.close();
  });

  test('recovers from a reset connection', async () => {
    await mirror.fail(
      { match: 'pmv', kind: 'reset', times: 1 },
      { match: 'pmv', kind: 'reset', value: 500, times: 1 },
    );
    expect((await fetcher.open(small, {}, bench.context())).size).toBeGreaterThan(0);
    expect(bench.waits).toHaveLength(2);
    await mirror.fail({ match: 'absent-now', kind: 'reset' });
    await expect(
      fetcher.open('https://gdmf.apple.com/absent-now', {}, bench.context()),
    ).rejects.toThrow('could not be reached');
  });

  test('detects corrupt bytes by checksum or strict decoding', async () => {
    const good = await fetcher.open(small, {}, bench.context());
    const checksum = { algorithm: 'sha256', value: good.sha256 } as const;
    await fetcher.distrust(small);
    await mirror.fail({ match: 'pmv', kind: 'corrupt', value: 3 });
    await expect(fetcher.open(small, { checksum }, bench.context())).rejects.toThrow(
      /has another checksum than the vendor announced \(sha256 \w{64}, expected \w{64}\) \(4 attempts in 7 s\)/,
    );
    const corrupt = await fetcher.open(small, {}, bench.context());
    await expect(corrupt.text()).rejects.toThrow('the text is not UTF-8');
    // After the broken copy is removed, the next request is unconditional.
    await mirror.fail();
    await fetcher.distrust(small);
    expect((await fetcher.open(small, {}, bench.context())).sha256).toBe(good.sha256);
  });

  test('makes no request when the version or checksum matches the copy', async () => {
    const options: OpenOptions = { version: 'v1' };
    const first = await fetcher.open(small, options, bench.context());
    await fetcher.open(small, options, bench.context());
    await fetcher.open(
      small,
      { checksum: { algorithm: 'sha256', value: first.sha256 } },
      bench.context(),
    );
    expect(await statuses(small)).toEqual({ 200: 1 });
    await fetcher.open(small, { version: 'v2' }, bench.context());
    await fetcher.open(small, { version: 'v2' }, bench.context());
    expect(await statuses(small)).toEqual({ 200: 1, 304: 1 });
  });

  test('reads the last good copy with a warning when it is allowed', async () => {
    const good = await fetcher.open(small, { lastGoodCopy: true }, bench.context());
    await mirror.fail({ match: 'pmv', kind: 'status', value: 500 });
    expect((await fetcher.open(small, { lastGoodCopy: true }, bench.context())).sha256).toBe(
      good.sha256,
    );
    expect(bench.warnings).toEqual([expect.stringContaining('answered 500 (4 attempts in 7 s)')]);
    expect(bench.warnings[0]).toContain('The copy of 2026-11-20T10:00:00.000Z was read instead.');
    await expect(fetcher.open(small, {}, bench.context())).rejects.toThrow(FetchFailed);
  });

  test('ends a slow and a retrying request at once when aborted', async () => {
    await mirror.fail(
      { match: 'alma', kind: 'slow', value: 1000 },
      { match: 'pmv', kind: 'status', value: 503 },
    );
    for (const address of [url, small]) {
      const stop = new AbortController();
      setTimeout(() => stop.abort(new Error('cancelled')), 100);
      await expect(
        new Fetcher(upstream, bench.cache).open(address, {}, bench.context(stop.signal)),
      ).rejects.toThrow('cancelled');
    }
  });
});
