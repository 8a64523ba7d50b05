import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { NotPublished } from '@patch/catalogue/definition/document-errors.ts';
import type { OpenOptions } from '@patch/catalogue/definition/feed.ts';
import { BrokenDocument } from '@patch/catalogue/parsers/create-document.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FetchBench } from '../testing/fetch-bench.ts';
import { folderUpstream } from './create-upstream.ts';
import type { Fetcher } from './fetcher.ts';
import { defaultHttpLimits, httpUpstream } from './http-upstream.ts';
import type { Upstream } from './upstream.ts';

let bench: FetchBench;

beforeEach(async () => {
  bench = await FetchBench.open();
});
afterEach(() => bench.close());

const createChecksum = (algorithm: 'sha1' | 'sha256' | 'sha512', bytes: string | Uint8Array) => ({
  algorithm,
  value: createHash(algorithm).update(bytes).digest('hex'),
});

describe('with an HTTP server', () => {
  let server: Server;
  let base: string;
  let upstream: Upstream;
  let fetcher: Fetcher;

  async function serve(listener: RequestListener) {
    server = createServer(listener).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    upstream = httpUpstream(null, defaultHttpLimits);
    fetcher = bench.fetcherOver(upstream);
  }

  afterEach(() => {
    upstream.close();
    server.closeAllConnections();
    server.close();
  });

  test('retries transient statuses, and does not retry refusals', async () => {
    const requested: string[] = [];
    await serve((request, response) => {
      const { url = '' } = request;
      response.writeHead(requested.includes(url) ? 200 : Number(url.slice(1))).end('here');
      requested.push(url);
    });
    const passing = [408, 425, 429, 500, 502, 503, 504];
    for (const status of passing)
      expect((await fetcher.open(`${base}/${status}`, {}, bench.context())).size).toBe(4);
    for (const status of [400, 401, 403, 405, 451])
      await expect(fetcher.open(`${base}/${status}`, {}, bench.context())).rejects.toThrow(
        `answered ${status}`,
      );
    expect(requested).toEqual([
      ...passing.flatMap((status) => [`/${status}`, `/${status}`]),
      ...[400, 401, 403, 405, 451].map((status) => `/${status}`),
    ]);
  });

  test('follows redirects, except loops and schemes other than http(s)', async () => {
    await serve((request, response) => {
      const target = {
        '/a': '/b',
        '/circle': '/circle',
        '/file': 'file:///etc/passwd',
        '/bad': 'http://[',
      }[request.url ?? ''];
      if (target !== undefined) response.writeHead(302, { Location: target }).end();
      else response.end('here');
    });
    expect(await (await fetcher.open(`${base}/a`, {}, bench.context())).text()).toBe('here');
    await expect(fetcher.open(`${base}/circle`, {}, bench.context())).rejects.toThrow(
      'redirects more than 5 times',
    );
    await expect(fetcher.open(`${base}/file`, {}, bench.context())).rejects.toThrow(
      'redirects to file:///etc/passwd',
    );
    await expect(fetcher.open(`${base}/bad`, {}, bench.context())).rejects.toThrow(
      'which is not an address',
    );
    await expect(fetcher.open('file:///etc/passwd', {}, bench.context())).rejects.toThrow(
      'is not an http(s) address',
    );
  });

  test('limits sizes, announced or not', async () => {
    await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('Content-Length', 5000);
      for (let sent = 0; sent < 5; sent++) response.write('x'.repeat(1000));
      response.end();
    });
    for (const path of ['/announced', '/chunked']) {
      await expect(fetcher.open(base + path, { maxBytes: 3000 }, bench.context())).rejects.toThrow(
        'has more than the 3,000 bytes',
      );
      expect((await fetcher.open(base + path, { maxBytes: 5000 }, bench.context())).size).toBe(
        5000,
      );
    }
  });

  test('repeats a request without a condition after a 304 whose cached body is missing', async () => {
    const seen: unknown[] = [];
    await serve((request, response) => {
      seen.push(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === '"1"') response.writeHead(304).end();
      else response.setHeader('ETag', '"1"').end('body');
    });
    await fetcher.open(`${base}/x`, {}, bench.context());
    await rm(join(bench.folder, 'cache/bodies'), { recursive: true });
    await bench.cache.prepare();
    expect(await (await fetcher.open(`${base}/x`, {}, bench.context())).text()).toBe('body');
    expect(seen).toEqual([undefined, undefined]);
  });

  test('sends no condition for a copy that differs from the announced checksum', async () => {
    const seen: unknown[] = [];
    await serve((request, response) => {
      seen.push(request.headers['if-none-match']);
      response.setHeader('ETag', '"1"').end(seen.length === 1 ? 'old' : 'new');
    });
    const open = (options: OpenOptions) => fetcher.open(`${base}/x`, options, bench.context());
    for (const options of [{}, { checksum: createChecksum('sha256', 'new') }, {}])
      await open(options);
    expect(seen).toEqual([undefined, undefined, '"1"']);
  });

  test('stores bytes as served despite Content-Encoding, and decompresses by magic bytes', async () => {
    const zipped = gzipSync('words');
    await serve((request, response) => {
      expect(request.headers['user-agent']).toMatch(/^PatchRepository\//);
      response.setHeader('Content-Encoding', 'gzip').end(zipped);
    });
    const document = await fetcher.open(
      `${base}/x`,
      { checksum: createChecksum('sha512', zipped), openChecksum: createChecksum('sha1', 'words') },
      bench.context(),
    );
    expect(document.size).toBe(zipped.length);
    expect(await document.text()).toBe('words');
  });

  test('keeps a good copy when the new body cannot be decompressed', async () => {
    let body = gzipSync('good');
    await serve((_request, response) => void response.end(body));
    await fetcher.open(`${base}/x`, { lastGoodCopy: true }, bench.context());
    body = body.subarray(0, body.length - 3);
    const document = await fetcher.open(`${base}/x`, { lastGoodCopy: true }, bench.context());
    expect(await document.text()).toBe('good');
    expect(bench.warnings[0]).toContain(
      'cannot be read: the gzip data cannot be read: unexpected end of file',
    );
  });

  test('fails and keeps the copy when the reader rejects the new body of a document without lastGoodCopy', async () => {
    let body = 'good';
    await serve((_request, response) => void response.end(body));
    const options: OpenOptions = {
      async readThrough(document) {
        if ((await document.text()) !== 'good')
          throw new BrokenDocument(document.url, 'it says nothing');
      },
    };
    const { sha256 } = await fetcher.open(`${base}/x`, options, bench.context());
    body = '<html>';
    await expect(fetcher.open(`${base}/x`, options, bench.context())).rejects.toThrow(
      'it says nothing',
    );
    const copy = await fetcher.openCached(`${base}/x`, sha256, bench.context());
    expect(await copy?.text()).toBe('good');
  });

  test('keeps a good copy when the reader rejects the new body', async () => {
    let body = 'good';
    await serve((_request, response) => void response.end(body));
    const options: OpenOptions = {
      lastGoodCopy: true,
      async readThrough(document) {
        if ((await document.text()) !== 'good')
          throw new BrokenDocument(document.url, 'it says nothing');
      },
    };
    await fetcher.open(`${base}/x`, options, bench.context());
    body = '<html>';
    expect(await (await fetcher.open(`${base}/x`, options, bench.context())).text()).toBe('good');
    expect(bench.warnings[0]).toContain('it says nothing');
    await expect(fetcher.open(`${base}/y`, options, bench.context())).rejects.toThrow(
      'it says nothing',
    );
  });

  test('sends at most four requests at a time to one host', async () => {
    let now = 0;
    let most = 0;
    await serve((_request, response) => {
      most = Math.max(most, ++now);
      setTimeout(() => {
        now--;
        response.end('x');
      }, 30);
    });
    await Promise.all(
      Array.from({ length: 12 }, (_, page) => fetcher.open(`${base}/${page}`, {}, bench.context())),
    );
    expect(most).toBe(4);
  });

  test('reports that a host cannot be reached or resolved', async () => {
    await serve((_request, response) => void response.end());
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await expect(fetcher.open(`${base}/x`, {}, bench.context())).rejects.toThrow(
      /could not be reached: .*ECONNREFUSED.* \(4 attempts in 7 s\)/,
    );
    await expect(
      fetcher.open('https://no-such-host.invalid/x', {}, bench.context()),
    ).rejects.toThrow(/its host name does not resolve|could not be reached/);
  });
});

describe('with a folder', () => {
  test('reads files as documents, copies only changed ones, and rejects addresses outside the folder', async () => {
    const mirror = join(bench.folder, 'mirror');
    await mkdir(join(mirror, 'example.org/feed'), { recursive: true });
    await writeFile(join(mirror, 'example.org/feed/index.json'), 'one');
    await writeFile(join(bench.folder, 'secret'), 'secret');
    const fetcher = bench.fetcherOver(folderUpstream(mirror));
    const first = await fetcher.open('https://example.org/feed/', {}, bench.context());
    expect(await first.text()).toBe('one');
    expect(
      await (await fetcher.open('https://example.org/feed/', {}, bench.context())).text(),
    ).toBe('one');
    await writeFile(join(mirror, 'example.org/feed/index.json'), 'two!');
    expect(
      await (await fetcher.open('https://example.org/feed/', {}, bench.context())).text(),
    ).toBe('two!');
    expect(await first.text()).toBe('one');
    await expect(fetcher.open('https://example.org/none', {}, bench.context())).rejects.toThrow(
      NotPublished,
    );
    await expect(
      fetcher.open('https://example.org/feed/..%2f..%2f..%2fsecret', {}, bench.context()),
    ).rejects.toThrow('not an address that a mirror can serve');
  });

  test('provides a document as a file that outlives its copy, counts the bytes read and stops with the run', async () => {
    const mirror = join(bench.folder, 'mirror');
    await mkdir(join(mirror, 'example.org'), { recursive: true });
    await writeFile(join(mirror, 'example.org/a'), 'archive');
    const stop = new AbortController();
    const taken: number[] = [];
    const context = {
      ...bench.context(stop.signal),
      taken: (bytes: number) => void taken.push(bytes),
    };
    const document = await bench
      .fetcherOver(folderUpstream(mirror))
      .open('https://example.org/a', {}, context);
    const file = await document.file();
    await rm(join(bench.folder, 'cache/bodies', document.sha256));
    expect(await readFile(file.path, 'utf8')).toBe('archive');
    file.taken(7);
    expect(taken).toEqual([7]);
    await file.remove();
    expect(await readdir(join(bench.folder, 'cache/arriving'))).toEqual([]);
    stop.abort(new Error('stopped'));
    expect(() => file.taken(1)).toThrow('stopped');
    await expect(document.file()).rejects.toThrow('stopped');
  });

  test('deletes unused documents from the cache', async () => {
    const mirror = join(bench.folder, 'mirror');
    await mkdir(join(mirror, 'example.org'), { recursive: true });
    await writeFile(join(mirror, 'example.org/a'), 'old');
    const fetcher = bench.fetcherOver(folderUpstream(mirror));
    const old = await fetcher.open('https://example.org/a', {}, bench.context());
    await writeFile(join(mirror, 'example.org/a'), 'newer');
    const newer = await fetcher.open('https://example.org/a', {}, bench.context());
    await bench.cache.sweep();
    expect(await old.text()).toBe('old');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    for (const name of await readdir(join(bench.folder, 'cache/bodies')))
      await utimes(join(bench.folder, 'cache/bodies', name), longAgo, longAgo);
    await bench.cache.sweep();
    expect(await readdir(join(bench.folder, 'cache/bodies'))).toEqual([newer.sha256]);
  });
});
