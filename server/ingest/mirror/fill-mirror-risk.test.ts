/** The mirror for closed networks contains the risk sources, and the copy of a publisher that refuses requests. */
import { kevFeed } from '@patch/catalogue/risk/kev-feed.ts';
import { riskFeeds } from '@patch/catalogue/risk/risk-feeds.ts';
import { describe, expect, test } from 'vitest';
import { openMigrated } from '../../testing/databases.ts';
import { folderUpstream } from '../fetching/create-upstream.ts';
import { FailedAttempt, type Upstream } from '../fetching/upstream.ts';
import { SyncBench } from '../testing/sync-bench.ts';
import { resolveParts } from './chosen-parts.ts';
import { withFilledFolder } from './testing/filled-folder.ts';

const address = 'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const copyAddress =
  'raw.githubusercontent.com/cisagov/kev-data/develop/known_exploited_vulnerabilities.json';

const mirror = withFilledFolder();
const { printed } = mirror;

const fill = (names: readonly string[], upstream: Upstream = folderUpstream(mirror.vendor)) =>
  mirror.fillChosen({ chosen: resolveParts(riskFeeds, names), upstream });
const publish = (path: string, content: string) => mirror.publish(path, content);
const isThere = async (path: string) => Object.hasOwn(await mirror.readFiles(), path);

function catalogue(day: number, ...cves: readonly string[]): string {
  return JSON.stringify({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: `2031.03.0${day}`,
    dateReleased: `2031-03-0${day}T18:59:43.6861Z`,
    count: cves.length,
    vulnerabilities: cves.map((cveID) => ({ cveID, dateAdded: '2031-03-01' })),
  });
}

/** Refuses requests to cisa.gov, and serves others from the folder. */
function refusing(status: number): Upstream {
  const others = folderUpstream(mirror.vendor);
  return {
    origin: others.origin,
    request: (url, have, signal) =>
      url.includes('www.cisa.gov')
        ? Promise.reject(new FailedAttempt({ code: 'status', params: { status } }))
        : others.request(url, have, signal),
    close: () => others.close(),
  };
}

describe('fillMirror with known exploited vulnerabilities', () => {
  const expectFromCopy = async (day: number) => {
    // A sync would read an outdated file at the first address before the copy.
    const content = catalogue(day, 'CVE-2031-1002');
    expect(await mirror.readFiles()).toEqual({ [copyAddress]: content });
    const database = await openMigrated();
    try {
      const bench = await SyncBench.open(database);
      const run = await bench.sync(kevFeed, {
        source: 'kev',
        upstream: folderUpstream(mirror.folder),
      });
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
    expect(await mirror.readFiles()).toEqual({ [address]: catalogue(1, 'CVE-2031-1001') });
  });
});
