/** Refuses documents of risk sources of a gigabyte, compressed or plain, with limited memory, and keeps the rows. */
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createGzip, gzipSync } from 'node:zlib';
import type { RiskSourceKey } from '@patch/catalogue/definition/risk-facts.ts';
import { riskFeeds } from '@patch/catalogue/risk/risk-feeds.ts';
import { formatMeta, fullRecord, nvdFile } from '@patch/catalogue/testing/nvd-files.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { forgetRisk, riskTables } from '../testing/risk-tables.ts';
import { SyncBench } from '../testing/sync-bench.ts';

const gigabyte = 1024 ** 3;
const now = Date.UTC(2031, 3, 10);
const nvdFolder = 'nvd.nist.gov/feeds/json/cve/2.0';

const cves = ['CVE-2031-1001', 'CVE-2031-1002'];
const kevCatalogue = {
  catalogVersion: '2031.04.01',
  dateReleased: '2031-04-01T12:00:00.0000Z',
  count: cves.length,
  vulnerabilities: cves.map((cveID) => ({ cveID, dateAdded: '2031-03-04' })),
};
const nvdText = nvdFile([fullRecord]);
const healthy: Readonly<Record<RiskSourceKey, Readonly<Record<string, string | Uint8Array>>>> = {
  kev: {
    'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json':
      JSON.stringify(kevCatalogue),
  },
  epss: {
    'epss.empiricalsecurity.com/epss_scores-current.csv.gz': `#model_version:v1,score_date:2031-04-01T12:00:00Z\ncve,epss,percentile\n${cves.map((cve) => `${cve},0.5,0.9`).join('\n')}\n`,
  },
  cvss: {
    [`${nvdFolder}/nvdcve-2.0-modified.meta`]: formatMeta(nvdText),
    [`${nvdFolder}/nvdcve-2.0-modified.json.gz`]: gzipSync(nvdText),
  },
};
const sources = [
  ['kev', 'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json'],
  ['epss', 'epss.empiricalsecurity.com/epss_scores-current.csv.gz'],
  ['cvss', `${nvdFolder}/nvdcve-2.0-modified.json.gz`],
  ['cvss', `${nvdFolder}/nvdcve-2.0-modified.meta`],
] as const;

/** Compresses spaces, which are valid before a JSON value and in a line of text. */
async function gzipOfSpaces(megabytes: number): Promise<Buffer> {
  const piece = Buffer.alloc(1024 ** 2, 0x20);
  const pieces = Readable.from(Array.from({ length: megabytes }, () => piece));
  return Buffer.concat((await pieces.pipe(createGzip()).toArray()) as Buffer[]);
}

/** Returns the growth of the process memory in MiB during the work. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  await work();
  clearInterval(watch);
  return (Math.max(most, process.memoryUsage.rss()) - before) / 1024 ** 2;
}

let database: Database;
let bomb: Buffer;
let bench: SyncBench;
beforeAll(async () => {
  bomb = await gzipOfSpaces(1024);
  database = await openMigrated();
});
afterAll(() => database.close());
beforeEach(async () => {
  await forgetRisk(database);
  bench = await SyncBench.open(database);
});
afterEach(() => bench.close());

/** Syncs the first part, because the years of NVD are not published here. */
const sync = (source: RiskSourceKey) => {
  const feed = riskFeeds[source];
  const parts = feed.parts.slice(0, 1);
  return bench.sync({ ...feed, parts }, { source, now, fetching: { tries: 1 } });
};

/** Returns the state of the run that read the valid document again after the bomb. */
async function stateAfterBomb(
  source: RiskSourceKey,
  publishBomb: () => Promise<void>,
): Promise<string> {
  const publish = async () => {
    for (const [address, content] of Object.entries(healthy[source]))
      await bench.publish(address, content);
  };
  await publish();
  expect((await sync(source)).state).toMatch(/^succeeded/);
  const before = await riskTables(database);
  expect(before.scores.length + before.vulnerabilities.length).toBeGreaterThan(0);
  await publishBomb();
  const growth = await growthDuring(async () => {
    const run = await sync(source);
    expect(run.state).toBe('failed');
    expect([run.message, ...run.warnings].join('\n')).toMatch(
      /opens to more than|has more than the [\d,]+ bytes that are allowed|a line is longer than/,
    );
  });
  // Decompressing a gigabyte would take twice as much. Smaller growth is garbage that has not been collected.
  expect(growth).toBeLessThan(512);
  expect(await riskTables(database)).toEqual(before);
  await publish();
  const healed = await sync(source);
  expect(await riskTables(database)).toEqual(before);
  return healed.state;
}

/** Publishes the size and checksum that NVD announces for each file. */
async function announceGigabyte(path: string): Promise<void> {
  if (path.endsWith('.json.gz'))
    await bench.publish(
      path.replace('.json.gz', '.meta'),
      `lastModifiedDate:2031-04-10T05:00:00-04:00\nsize:${gigabyte}\nsha256:${'a'.repeat(64)}\n`,
    );
}

test.each(sources)('refuses for %s an archive of a gigabyte at %s', async (source, path) => {
  const state = await stateAfterBomb(source, async () => {
    await bench.publish(path, bomb);
    await announceGigabyte(path);
  });
  expect(state).toMatch(/^succeeded/);
});

test.each(sources)('refuses for %s a plain file of a gigabyte at %s', async (source, path) => {
  const state = await stateAfterBomb(source, async () => {
    const file = join(bench.folder, 'mirror', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, ' ');
    // Creates a sparse file, which takes no disk space.
    await truncate(file, gigabyte);
    await announceGigabyte(path);
  });
  expect(state).toMatch(/^succeeded/);
});
