/** The mirror for closed networks contains the risk sources, and the copy of a publisher that refuses requests. */
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { kevFeed } from '@patch/catalogue/risk/kev-feed.ts';
import { riskFeeds } from '@patch/catalogue/risk/risk-feeds.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openMigrated } from '../../testing/databases.ts';
import { createStatusError } from '../sync/fetch-failed.ts';
import { folderUpstream } from '../sync/folder-upstream.ts';
import { SyncBench } from '../sync/testing/sync-bench.ts';
import type { Upstream } from '../sync/upstream.ts';
import { resolveParts } from './chosen-parts.ts';
import { fillMirror } from './fill-mirror.ts';

const address = 'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const copyAddress =
  'raw.githubusercontent.com/cisagov/kev-data/develop/known_exploited_vulnerabilities.json';

let vendor: string;
let folder: string;
const printed: string[] = [];

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'fill-risk-'));
  [vendor, folder] = [join(root, 'vendor'), join(root, 'filled')];
  printed.length = 0;
});
afterEach(() => rm(dirname(vendor), { recursive: true, force: true }));

function fill(names: readonly string[], upstream: Upstream = folderUpstream(vendor)) {
  return fillMirror({
    folder,
    chosen: resolveParts(riskFeeds, names),
    upstream,
    signal: new AbortController().signal,
    trustedKeys: () => Promise.resolve([]),
    print: (line) => printed.push(line),
    fetcherOptions: { sleep: async () => undefined, tries: 2 },
  });
}

function catalogue(day: number, ...cves: readonly string[]): string {
  return JSON.stringify({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: `2031.03.0${day}`,
    dateReleased: `2031-03-0${day}T18:59:43.6861Z`,
    count: cves.length,
    vulnerabilities: cves.map((cveID) => ({ cveID, dateAdded: '2031-03-01' })),
  });
}

async function publish(path: string, content: string): Promise<void> {
  const file = join(vendor, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

const isThere = (path: string) =>
  access(join(folder, path)).then(
    () => true,
    () => false,
  );

/** Refuses requests to cisa.gov, and serves others from the folder. */
function refusing(status: number): Upstream {
  const others = folderUpstream(vendor);
  return {
    origin: others.origin,
    request: (url, have, signal) =>
      url.includes('www.cisa.gov')
        ? Promise.reject(createStatusError(status, null))
        : others.request(url, have, signal),
    close: () => others.close(),
  };
}

describe('fillMirror with known exploited vulnerabilities', () => {
  const expectFromCopy = async (day: number) => {
    expect(await readFile(join(folder, copyAddress), 'utf8')).toBe(catalogue(day, 'CVE-2031-1002'));
    // A sync would read an outdated file at the first address before the copy.
    expect(await isThere(address)).toBe(false);
    const database = await openMigrated();
    try {
      const bench = await SyncBench.open(database);
      const run = await bench.sync(kevFeed, { source: 'kev', upstream: folderUpstream(folder) });
      await bench.close();
      expect(run).toMatchObject({ state: 'succeeded_with_warnings', added: 1 });
      const { rows } = await database.query('select cve from vulnerability');
      expect(rows).toEqual([{ cve: 'CVE-2031-1002' }]);
    } finally {
      await database.close();
    }
  };

  test.each([403, 503])(
    'fetches the second address when the first answers %i, and removes the old file of the first',
    async (status) => {
      await publish(address, catalogue(1, 'CVE-2031-1001'));
      await publish(copyAddress, catalogue(1, 'CVE-2031-1001'));
      expect(await fill(['kev'])).toMatchObject({ failed: 0, documents: 1 });
      expect([await isThere(address), await isThere(copyAddress)]).toEqual([true, false]);
      await publish(copyAddress, catalogue(2, 'CVE-2031-1002'));
      expect(await fill(['kev'], refusing(status))).toMatchObject({
        failed: 0,
        documents: 1,
        fresh: 1,
      });
      expect(printed.join('\n')).toMatch(
        new RegExp(`answered ${status}.*The publisher's copy at https://${copyAddress} was read`),
      );
      expect(printed.at(-1)).toContain(`removed ${address}`);
      await expectFromCopy(2);
    },
  );

  test('fetches the second address when the first serves an HTML page, which is not written', async () => {
    await publish(address, '<html>Access Denied</html>');
    await publish(copyAddress, catalogue(2, 'CVE-2031-1002'));
    expect(await fill(['kev'])).toMatchObject({ failed: 0, documents: 1 });
    await expectFromCopy(2);
  });

  test('keeps the existing file when both addresses fail', async () => {
    await publish(address, catalogue(1, 'CVE-2031-1001'));
    await fill(['kev']);
    await publish(copyAddress, '{');
    expect(await fill(['kev'], refusing(403))).toMatchObject({ failed: 1 });
    expect(printed.at(-1)).toMatch(/FAILED\. .*answered 403/);
    expect(await readFile(join(folder, address), 'utf8')).toBe(catalogue(1, 'CVE-2031-1001'));
  });
});
