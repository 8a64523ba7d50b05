/**
 * Asks the calls of osv.dev for the packages of every inventory that has an ecosystem: nothing that "Check a machine" misses is absent.
 * OSV knows neither kernels beside newer ones nor module streams and architectures, so its answers may have more.
 */
import { readdirSync, readFileSync } from 'node:fs';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { inventoryText } from '@patch/catalogue/machines/inventory/inventory-text.ts';
import { readInventory } from '@patch/catalogue/machines/inventory/read-inventory.ts';
import { sharedFolder } from '@patch/catalogue/testing/shared-folder.ts';
import { Assessment } from '@patch/contract/fleet/assessment-endpoint.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderUpstream } from '../../ingest/fetching/create-upstream.ts';
import { SyncBench } from '../../ingest/testing/sync-bench.ts';
import { vendorFolder } from '../../ingest/testing/vendor-folder.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { callAs } from '../../testing/kb-calls.ts';
import type { CallApi } from '../../testing/kb-comparison.ts';

const inventories = sharedFolder('inventories');
const sources = ['almaLinux', 'rockyLinux', 'debian', 'ubuntu', 'opensuse'] as const;
const lists: ReadonlySet<string> = new Set([
  'almalinux_patch',
  'rockylinux_patch',
  'debian_patch',
  'linux_notice',
  'opensuse_patch',
]);
const ecosystems: Readonly<Record<string, (release: string) => readonly string[]>> = {
  almalinux: (release) => [`AlmaLinux:${release.split('.')[0]}`],
  // A machine is judged by the advisories of the cloud group too.
  rocky: (release) =>
    ['', ':SIG Cloud'].map((group) => `Rocky Linux:${release.split('.')[0]}${group}`),
  'opensuse-leap': (release) => [`openSUSE:Leap ${release}`],
};
/** Ids that vendors publish. All others begin with x_. */
const vendorName = /^(?:ALSA|ALBA|ALEA|CVE|DLA|DSA|LSN|openSUSE-SU|RLSA|RXSA|SUSE-[SRFO]U|USN)-/;

type Machine = ReturnType<typeof readInventory>['machine'];

const texts = readdirSync(inventories, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => {
    const folder = new URL(`${name}/`, inventories);
    const files = readdirSync(folder);
    const read = (file: string) => inventoryText(readFileSync(new URL(file, folder)));
    const system = files.includes('os-release') ? `${read('os-release')}\n` : '';
    return files
      .filter((file) => /\.(?:txt|json)$/.test(file))
      .map((file) => ({ name: `${name}/${file}`, text: system + read(file) }));
  })
  .flatMap(({ name, text }) => {
    const { machine } = readInventory(text);
    const hasQueries = toQueries(machine) !== null;
    return hasQueries ? [[name, text, machine] as const] : [];
  });

/** Returns null for a machine without packages or ecosystem. */
function toQueries({ distribution, release, packages }: Machine): readonly object[] | null {
  if (distribution === null || release === null || packages.length === 0) return null;
  const ecosystem = ecosystems[distribution];
  if (ecosystem !== undefined)
    return ecosystem(release).flatMap((own) =>
      packages.map(({ name, epoch, version }) => ({
        package: { name, ecosystem: own },
        version: `${epoch ? `${epoch}:` : ''}${version}`,
      })),
    );
  if (distribution !== 'debian' && distribution !== 'ubuntu') return null;
  return packages.map(({ name, version, source }) => {
    const upstream =
      source === null
        ? ''
        : `&upstream=${encodeURIComponent(`${source.name}${source.version === null ? '' : `@${source.version}`}`)}`;
    return {
      package: {
        purl: `pkg:deb/${distribution}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?distro=${distribution}-${release}${upstream}`,
      },
    };
  });
}

describeWithMirror('packages of inventories', (mirror) => {
  let database: OpenDatabase;
  let call: CallApi;
  beforeAll(async () => {
    database = await openMigrated();
    const bench = await SyncBench.open(database);
    for (const source of sources) {
      const feed = vendorFeeds[source] as Feed;
      const { root, trustedKeys } = await vendorFolder(mirror, feed);
      const run = await bench.sync(feed, {
        source,
        upstream: folderUpstream(root),
        trustedKeys,
        now: Date.UTC(2026, 7, 14),
        shrinkageShare: 100,
      });
      if (!run.state.startsWith('succeeded')) throw new Error(`${source}: ${run.message}`);
    }
    await bench.close();
    call = await callAs(database);
  }, 900_000);
  afterAll(() => database.close());

  const askOsv = async (queries: readonly object[]): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for (let index = 0; index < queries.length; index += 1000) {
      const body = { queries: queries.slice(index, index + 1000) };
      const { results } = JSON.parse(await call('POST', '/osv/v1/querybatch', body)) as {
        readonly results: readonly { readonly vulns?: readonly { readonly id: string }[] }[];
      };
      for (const { vulns = [] } of results) for (const { id } of vulns) found.add(id);
    }
    return found;
  };

  let missed = 0;
  test.each(texts)('%s', async (_name, text, machine) => {
    const answer = Assessment.parse(JSON.parse(await call('POST', '/assessments', { text })));
    const missing = answer.missing.flatMap(({ list, state, identifier }) => {
      if (list === null || !lists.has(list) || state !== 'missing' || identifier === null)
        return [];
      return [vendorName.test(identifier) ? identifier : `x_${identifier}`];
    });
    const found = await askOsv(toQueries(machine) ?? []).catch((refused: Error) => refused.message);
    // An ecosystem without a record and a package of an unknown source are refused: an empty answer would mean "not affected".
    const isRefused = typeof found === 'string' && found.includes('returned 400');
    const { compared, noAdvisory } = answer.verdicts;
    const lacksSources = answer.advice.some(({ kind }) => kind === 'noSourcePackages');
    expect(isRefused).toBe(compared + noAdvisory === 0 || lacksSources);
    if (isRefused && lacksSources) return;
    const answered: ReadonlySet<string> = typeof found === 'string' ? new Set() : found;
    expect(missing.filter((identifier) => !answered.has(identifier))).toEqual([]);
    missed += missing.length;
  });

  test('miss updates', () => {
    expect(missed).toBeGreaterThan(1000);
  });
});
