import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BrokenDocument } from '../parsers/create-document.ts';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { scores } from '../testing/epss-items.ts';
import { formatMessages } from '../testing/feed-reader.ts';
import { findPart } from '../testing/find-part.ts';
import { type MemoryOptions, memoryPublication } from '../testing/memory-publication.ts';
import { epssFeed } from './epss-feed.ts';
import { readEpssItems } from './epss-rows.ts';

const address = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz';
const part = findPart(epssFeed, 'epss');
const comment = '#model_version:v2031.03.17,score_date:2031-04-01T12:00:26Z';

const items = (text: string) => collect(readEpssItems(documentFrom(address, text)));
const openContents = (text: string, options?: MemoryOptions) =>
  part.contents(memoryPublication({ [address]: text }, { now: Date.UTC(2031, 3, 2), ...options }));

test('reads rows, model and date', async () => {
  const text = `${comment}\ncve,epss,percentile\nCVE-2031-0001,0.03351,0.87424\nCVE-2031-1000001,1,0\n`;
  const contents = await openContents(text);
  expect(contents).toMatchObject({
    isComplete: true,
    remember: { model: 'v2031.03.17', scoreDate: '2031-04-01T12:00:26.000Z' },
  });
  expect(await collect(part.read(contents))).toEqual([
    {
      kind: 'risk',
      facts: { kind: 'epss', cve: 'CVE-2031-0001', epss: 0.03351, percentile: 0.87424 },
    },
    { kind: 'risk', facts: { kind: 'epss', cve: 'CVE-2031-1000001', epss: 1, percentile: 0 } },
  ]);
});

test('rejects unusable rows with their line', async () => {
  const read = await items(
    `${comment}\ncve,epss,percentile\nCVE-2031-0001,0.5,0.9\n\nCVE-2031-0002,,0.5\nCVE-2031-0003,NaN,0.5\nCVE-2031-0004,1.00001,0.5\nCVE-2031-0005,-0.1,0.5\nCVE-203,0.5,0.5\nCVE-2031-0006,0.5,x\nCVE-2031-0001,0.6,0.9\nCVE-2031-0007\nCVE-2031-0008,0x1,0.5\nCVE-2031-0009,Infinity,0.5\n`,
  );
  expect(scores(read)).toEqual(['CVE-2031-0001 0.5 0.9']);
  const odd = (line: number, cve: string, word: string, what = 'score') =>
    `line ${line}: the ${what} of ${cve}, "${word}", is not a number from 0 to 1 [${cve}]`;
  expect(formatMessages(read)).toEqual([
    odd(5, 'CVE-2031-0002', ''),
    odd(6, 'CVE-2031-0003', 'NaN'),
    odd(7, 'CVE-2031-0004', '1.00001'),
    odd(8, 'CVE-2031-0005', '-0.1'),
    'line 9: "CVE-203" is not a CVE id []',
    odd(10, 'CVE-2031-0006', 'x', 'percentile'),
    'line 11: CVE-2031-0001 occurs twice; the first row was read [CVE-2031-0001]',
    odd(12, 'CVE-2031-0007', ''),
    odd(13, 'CVE-2031-0008', '0x1'),
    odd(14, 'CVE-2031-0009', 'Infinity'),
  ]);
});

test('reads a missing percentile as null', async () => {
  expect(scores(await items('cve,epss\nCVE-2031-0001,0.5\n'))).toEqual(['CVE-2031-0001 0.5 null']);
  expect(scores(await items('cve,epss,percentile\nCVE-2031-0001,0.5'))).toEqual([
    'CVE-2031-0001 0.5 null',
  ]);
});

test.each([
  ['empty', '', 'it is empty'],
  ['a page', '<!DOCTYPE html><html></html>', 'it begins with "<!DOCTYPE html><html></html>"'],
  ['nothing but comments', '#a\n'.repeat(500), 'it has no columns'],
  ['a table without scores', 'cve,score\nCVE-2031-0001,0.5\n', 'it begins with "cve,score"'],
  ['one very long line', 'x'.repeat(20_000), 'a line is longer than'],
])('refuses a document that is %s', async (_name, text, message) => {
  await expect(openContents(text)).rejects.toThrow(message);
  await expect(openContents(text)).rejects.toBeInstanceOf(BrokenDocument);
  await expect(items(text)).rejects.toThrow(message);
});

test('refuses a file without a usable row', async () => {
  await expect(items('cve,epss,percentile\nCVE-2031-0001,2,0.5\n')).rejects.toThrow(
    'it contains no score',
  );
});

test('refuses scores of an earlier day, and accepts those of the same day at another time', async () => {
  const remembered = (scoreDate: string) => ({ remembered: { scoreDate } });
  const text = `${comment}\ncve,epss,percentile\nCVE-2031-0001,0.5,0.5\n`;
  await expect(openContents(text, remembered('2031-04-02T00:00:00.000Z'))).rejects.toThrow(
    'its scores are of 2031-04-01, those of 2031-04-02 were read already',
  );
  for (const date of [
    '2031-04-01T18:00:00.000Z',
    '2031-03-31T00:00:00.000Z',
    // A wrong date in the future must not block later files.
    '2099-01-01T00:00:00.000Z',
  ])
    expect((await openContents(text, remembered(date))).documents).toHaveLength(1);
});

test('takes the date from Last-Modified, or omits it, when no comment states it', async () => {
  const text = 'cve,epss,percentile\nCVE-2031-0001,0.5,0.5\n';
  const lastModified = Date.UTC(2031, 3, 1, 13);
  expect((await openContents(text, { lastModified })).remember).toEqual({
    scoreDate: '2031-04-01T13:00:00.000Z',
  });
  expect((await openContents(text)).remember).toEqual({});
});

test('reads 350,000 rows within a heap of 24 megabytes', async () => {
  const rows = Array.from(
    { length: 350_000 },
    (_, row) => `CVE-${1999 + Math.floor(row / 13_000)}-${1000 + (row % 13_000)},0.00042,0.12345`,
  );
  const body = gzipSync(`${comment}\ncve,epss,percentile\n${rows.join('\n')}`);
  // Node and the modules take 10 of the 24 megabytes; the rows are 10 megabytes of text, and ten times that as objects.
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
    (async () => {
      const { createDocument } = await import(workerData.createDocument);
      const { readEpssItems } = await import(workerData.epssRows);
      async function* served() { yield workerData.body; }
      const size = workerData.body.length;
      const document = createDocument({ url: 'x', sha256: '', size, lastModified: null }, served);
      let read = 0;
      for await (const item of readEpssItems(document)) if (item.kind === 'risk') read += 1;
      parentPort.postMessage(read);
    })();`,
    {
      eval: true,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 20, maxYoungGenerationSizeMb: 4 },
      workerData: {
        body,
        createDocument: new URL('../parsers/create-document.ts', import.meta.url).href,
        epssRows: new URL('./epss-rows.ts', import.meta.url).href,
      },
    },
  );
  const read = await new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  expect(read).toBe(350_000);
});

test("allows redirects to the publisher's host only", async () => {
  const publication = memoryPublication({
    [address]: `${comment}\ncve,epss,percentile\nCVE-2031-0001,0.5,0.5\n`,
  });
  const allowed: unknown[] = [];
  await part.contents({
    ...publication,
    open: (url, options) => {
      allowed.push(options?.redirectHosts);
      return publication.open(url, options);
    },
  });
  expect(allowed).toEqual([['epss.empiricalsecurity.com']]);
});
