import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { macosFeed } from './macos-feed.ts';

const catalogues = 'swscan.apple.com/content/catalogs/others/';
const merged =
  'index-26-15-14-13-12-10.16-10.15-10.14-10.13-10.12-10.11-10.10-10.9-mountainlion-lion-snowleopard-leopard.merged-1.sucatalog';
const file = (path: string) =>
  readFileSync(new URL(path, feedMirror), 'utf8').replaceAll('    ', '\t');

/** A product as its lines say it: the file is indented, so that no reader of XML is needed. */
interface Written {
  key: string;
  postDate: string;
  sizes: number[];
  urls: string[];
  english: string | undefined;
  installer: string | undefined;
  /** That of a system; Safari and bridgeOS count their own. */
  version: string | undefined;
}

function writtenIn(name: string): Written[] {
  const text = file(catalogues + name);
  const begins = /<key>Products<\/key>\s*<dict>\n(\t+)<key>/.exec(text);
  const products = text.slice(begins?.index ?? 0);
  const indent = begins?.[1] ?? '';
  return products
    .split(new RegExp(`^${indent}<key>`, 'm'))
    .slice(1)
    .map((product) => {
      const one = (pattern: RegExp) => pattern.exec(product)?.[1];
      return {
        key: product.slice(0, product.indexOf('<')),
        postDate: one(/<key>PostDate<\/key>\s*<date>(.*?)<\/date>/) ?? '',
        sizes: [...product.matchAll(/<key>Size<\/key>\s*<integer>(\d+)</g)].map(([, size]) =>
          Number(size),
        ),
        urls: [...product.matchAll(/<key>URL<\/key>\s*<string>(.*?)</g)].map(
          ([, url]) => url ?? '',
        ),
        english:
          one(/<key>English<\/key>\s*<string>(.*?)</) ?? one(/<key>en<\/key>\s*<string>(.*?)</),
        installer: one(/<string>com\.apple\.pkg\.InstallAssistant\.macOS(\w+)</),
        version: product.includes('<string>macOS</string>')
          ? one(/<key>ProductVersion<\/key>\s*<string>(.*?)</)
          : undefined,
      };
    });
}

async function readings(key: string): Promise<FeedItem[]> {
  const part = partOf(macosFeed, key);
  return readingsOf(
    part,
    await part.contents(publicationFrom(feedMirror, { now: Date.UTC(2026, 3, 12) })),
  );
}

const entriesOf = (read: FeedItem[]) =>
  read.filter((reading): reading is Entry => reading.kind === 'entry');
const fileOf = (url: string | undefined) => url?.split('/').at(-1);

describeWithMirror('macOS in the feed mirror', () => {
  test('every product comes out with the right fields', async () => {
    const written = writtenIn(merged);
    const read = entriesOf(await readings('software'));
    expect(written).toHaveLength(736);
    expect(read.map(({ key }) => key)).toEqual(written.map(({ key }) => key));
    expect(read.flatMap(complaintsOf)).toEqual([]);
    const listed = new Map(
      [
        ['10.16', '11'],
        ['12', '12'],
        ['13', '13'],
        ['14', '14'],
      ].map(([name, major]) => [
        major,
        new Set(writtenIn(`index-${name}.merged-1.sucatalog`).map(({ key }) => key)),
      ]),
    );
    for (const [place, product] of written.entries()) {
      const { row = {}, detail = {} } = read[place] ?? {};
      expect(row).toMatchObject({
        productKey: product.key,
        releaseDate: Date.parse(product.postDate),
      });
      expect(detail.distributionFileName).toBe(fileOf(product.english));
      const packages = detail.packages as { name: string; size: number; downloadUrl: string }[];
      expect(packages.map(({ size }) => size)).toEqual(product.sizes);
      expect(packages.map(({ downloadUrl }) => downloadUrl)).toEqual(product.urls);
      const dist = product.english?.replace('https://', '');
      const isRead = dist !== undefined && existsSync(new URL(dist, feedMirror));
      const listing = [...listed]
        .filter(([, keys]) => keys.has(product.key))
        .map(([major]) => major);
      const systems =
        product.version === undefined
          ? listing
          : [product.version.split('.').slice(0, 2).join('.')];
      expect(row.osVersion, product.key).toEqual(
        isRead || product.installer !== undefined ? row.osVersion : systems,
      );
    }
  });

  test('every distribution and every server metadata that is there was read', async () => {
    const byFile = new Map(
      entriesOf(await readings('software')).map((entry) => [
        entry.detail.distributionFileName,
        entry,
      ]),
    );
    const written = writtenIn(merged).filter(({ english = '' }) =>
      existsSync(new URL(english.replace('https://', ''), feedMirror)),
    );
    expect(written).toHaveLength(32);
    for (const { english = '' } of written) {
      const text = file(english.replace('https://', ''));
      const string = (key: string) =>
        new RegExp(`^(?:.*CDATA\\[)?"${key}" ?= ?(["'])(.*?)\\1;`, 'm').exec(text)?.[2];
      const inside = (key: string) =>
        new RegExp(`<key>${key}</key>\\s*<string>(.*?)<`).exec(text)?.[1];
      const { row, detail } = byFile.get(fileOf(english)) ?? {};
      expect(row?.title).toBe(string('SU_TITLE'));
      const whole = !text.includes('</choices-outlin\n');
      expect(row?.version).toBe(
        (whole ? (inside('macOSProductVersion') ?? inside('VERSION')) : undefined) ??
          string('SU_VERS'),
      );
      expect(detail?.build).toBe(
        (whole ? (inside('macOSProductBuildVersion') ?? inside('BUILD')) : undefined) ?? null,
      );
      expect(detail?.description).toMatch(/^(?:macOS|I am) .*\.$/);
      expect(detail?.description).not.toMatch(/[<>]|alert/);
    }
    const safari = [...byFile.values()].filter(({ row }) => row.title === 'Safari');
    expect(safari.map(({ row }) => row.version)).toEqual(
      expect.arrayContaining(['13.1.2', '14.1.2', '15.6.1', '16.6.1', '17.1']),
    );
  });

  test('what is missing and what is damaged is said', async () => {
    expect((await readings('software')).filter((reading) => reading.kind !== 'entry')).toEqual([
      {
        kind: 'remark',
        remark: expect.stringMatching(
          /^Apple serves no description of 698 of 736 products/,
        ) as string,
      },
      {
        kind: 'remark',
        remark: expect.stringMatching(
          /^What can be read was taken of damaged descriptions: 001-36801 \(not well formed/,
        ) as string,
      },
    ]);
  });

  test('a supported version is a product or a row of its own', async () => {
    type Supported = {
      macOS?: { ProductVersion: string; ProductVersionExtra?: string; Build: string }[];
    };
    const sets = Object.values(
      JSON.parse(file('gdmf.apple.com/v2/pmv')) as Record<string, Supported>,
    );
    const supported = new Set(
      sets.flatMap(({ macOS = [] }) =>
        macOS.map(
          ({ ProductVersion, ProductVersionExtra: extra, Build }) =>
            `${ProductVersion}${extra ? ` ${extra}` : ''} ${Build}`,
        ),
      ),
    );
    const rows = entriesOf(await readings('versions'));
    expect(rows.flatMap(complaintsOf)).toEqual([]);
    const products = entriesOf(await readings('software'));
    for (const version of supported) {
      const [number = '', ...rest] = version.split(' ');
      const build = rest.at(-1) ?? '';
      const own = rows.filter(
        ({ row, detail }) => [row.version, detail.build].join(' ') === version,
      );
      const installers = products.filter(
        ({ row, detail }) =>
          row.version === number &&
          String(row.title).startsWith('macOS') &&
          (detail.build ?? build) === build,
      );
      expect(own.length === 1, version).toBe(rest.length > 1 || installers.length === 0);
    }
    expect(supported.size).toBeGreaterThan(15);
  });

  interface SofaRelease {
    ProductVersion: string;
    SecurityInfo: string;
    CVEs: Record<string, boolean>;
    ActivelyExploitedCVEs: string[];
  }
  const stated = () =>
    new Map(
      (
        JSON.parse(file('sofafeed.macadmins.io/v1/macos_data_feed.json')) as {
          OSVersions: { SecurityReleases: SofaRelease[] }[];
        }
      ).OSVersions.flatMap(({ SecurityReleases }) => SecurityReleases).map((release) => [
        release.ProductVersion,
        release,
      ]),
    );

  test('every row of a release has the CVEs that SOFA states of its version, and no other row has one', async () => {
    const releases = stated();
    const counts = { rows: 0, withCves: 0, exploited: 0, unknown: 0 };
    for (const part of ['software', 'versions']) {
      for (const { key, row, detail } of entriesOf(await readings(part))) {
        const isRelease = part === 'versions' || String(row.title).startsWith('macOS ');
        const release = isRelease ? releases.get(row.version as string) : undefined;
        const cves = Object.keys(release?.CVEs ?? {});
        counts.rows += 1;
        counts.withCves += cves.length > 0 ? 1 : 0;
        counts.exploited += row.exploited === true ? 1 : 0;
        counts.unknown += row.exploited === null ? 1 : 0;
        expect(row.cve, key).toEqual(cves);
        expect(row.exploited, key).toBe(
          release === undefined ? null : release.ActivelyExploitedCVEs.length > 0,
        );
        expect(detail.securityContent, key).toBe(release?.SecurityInfo ?? null);
        expect(detail.vulnerabilities, key).toEqual(
          cves.map((cve) => ({
            cve,
            exploited: release?.ActivelyExploitedCVEs.includes(cve) ?? false,
          })),
        );
      }
    }
    expect(counts).toEqual({ rows: 739, withCves: 15, exploited: 8, unknown: 721 });
  });

  test("Apple's indexes are followed, and lead to nothing of the mirror's products", async () => {
    const part = partOf(macosFeed, 'software');
    const { documents } = await part.contents(
      publicationFrom(feedMirror, { now: Date.UTC(2026, 3, 12) }),
    );
    const pages = documents
      .map(({ url }) => url)
      .filter((url) => url.startsWith('https://support.apple.com/'));
    expect(pages.map((url) => url.split('/').at(-1))).toEqual([
      '100100',
      '103813',
      '101682',
      '104191',
    ]);
  });
});
