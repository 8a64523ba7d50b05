import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Entry, FeedItem } from '../../definition/feed.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { applications } from './thirdparty-applications.ts';
import { thirdpartyFeed } from './thirdparty-feed.ts';

const file = (path: string) => readFileSync(new URL(path, feedMirror), 'utf8');
const manifests = 'raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/';

async function readings(): Promise<FeedItem[]> {
  const read = [];
  for (const part of thirdpartyFeed.parts)
    read.push(...(await readingsOf(part, await part.contents(publicationFrom(feedMirror)))));
  return read;
}

async function entries(): Promise<Map<string, Entry>> {
  return new Map(
    (await readings())
      .filter((reading) => reading.kind === 'entry')
      .map((entry) => [entry.key, entry]),
  );
}

interface Listed {
  readonly PackageId: string;
  readonly Version: string;
}
type Row = Record<'version' | 'downloadUrl' | 'checksum' | 'osPlatform', string> & {
  unversionedUrl: boolean;
} & Record<
    | 'silentSwitches'
    | 'progressSwitches'
    | 'locationSwitch'
    | 'productCode'
    | 'upgradeCode'
    | 'installerType'
    | 'scope',
    string | null
  >;
const rowsOf = (entry: Entry | undefined) => (entry?.detail.releasePackages ?? []) as Row[];

describeWithMirror('third-party applications in the feed mirror', () => {
  test('every application is a row that fits the list; none is kept out', async () => {
    const read = await readings();
    const found = read.filter((reading) => reading.kind === 'entry');
    expect(found.flatMap(complaintsOf)).toEqual([]);
    expect(found.map(({ key }) => key)).toEqual(
      ['BROWSER', 'COMPRESSION', 'OFFICE'].flatMap((category) =>
        applications.filter((one) => one.category === category).map(({ id }) => id),
      ),
    );
    expect(new Set(found.map(({ row }) => row.uuid)).size).toBe(found.length);
    expect(read.filter((reading) => reading.kind === 'rejection')).toEqual([]);
  });

  test('every installer of every winget manifest is there, with its sum', async () => {
    const all = await entries();
    const paths = readdirSync(new URL(manifests, feedMirror), {
      recursive: true,
      encoding: 'utf8',
    }).filter((path) => path.endsWith('.installer.yaml'));
    expect(paths).toHaveLength(11);
    for (const path of paths) {
      const text = file(manifests + path);
      const id = /^PackageIdentifier: *(.*?)\r?$/m.exec(text)?.[1] ?? '';
      const version = /^PackageVersion: *["']?(.*?)["']?\r?$/m.exec(text)?.[1];
      const urls = [...text.matchAll(/InstallerUrl: *(\S+)/g)].map(([, url]) => url);
      const sums = [...text.matchAll(/InstallerSha256: *(\S+)/g)].map(([, sum]) =>
        sum?.toLowerCase(),
      );
      const rows = rowsOf(all.get(id)).filter(
        (row) => row.version === version && urls.includes(row.downloadUrl),
      );
      expect(
        rows.map(({ checksum }) => checksum),
        id,
      ).toEqual(sums);
      expect(
        rows.map(({ downloadUrl }) => downloadUrl),
        id,
      ).toEqual(urls);
      expect(
        rows.every(({ unversionedUrl }) => unversionedUrl === (id === 'Google.Chrome')),
        id,
      ).toBe(true);
      const locale = file(`${manifests}${path.replace('.installer.', '.locale.en-US.')}`);
      const { row } = all.get(id) ?? {};
      expect(row?.name).toBe(/^PackageName: *(.*?)\r?$/m.exec(locale)?.[1]);
      expect(row?.manufacturer).toBe(/^Publisher: *(.*?)\r?$/m.exec(locale)?.[1]);
      expect(row?.description).toBe(/^ShortDescription: *"?(.*?)"?\r?$/m.exec(locale)?.[1]);
    }
  });

  test('every download of every Scoop manifest is there', async () => {
    const all = await entries();
    let manifestsRead = 0;
    for (const { id, scoop = '/' } of applications) {
      const [bucket, name] = scoop.split('/');
      const path = `raw.githubusercontent.com/ScoopInstaller/${bucket}/master/bucket/${name}.json`;
      const downloads = existsSync(new URL(path, feedMirror))
        ? JSON.parse(file(path))
        : { architecture: {} };
      for (const { url } of Object.values(
        downloads.architecture as Record<string, { url: string }>,
      )) {
        expect(rowsOf(all.get(id)).map(({ downloadUrl }) => downloadUrl)).toContain(
          url.split('#')[0],
        );
      }
      if (downloads.version !== undefined) manifestsRead += 1;
    }
    expect(manifestsRead).toBe(20);
  });

  test('what the vendors say of themselves', async () => {
    const all = await entries();
    const { LATEST_FIREFOX_VERSION: firefox, FIREFOX_ESR: esr } = JSON.parse(
      file('product-details.mozilla.org/1.0/firefox_versions.json'),
    );
    expect(
      rowsOf(all.get('Mozilla.Firefox')).filter(({ version }) => version === firefox),
    ).toHaveLength(4);
    expect(
      rowsOf(all.get('Mozilla.Firefox.ESR')).filter(({ version }) => version === esr),
    ).toHaveLength(4);
    const { version } = JSON.parse(
      file('googlechromelabs.github.io/chrome-for-testing/last-known-good-versions.json'),
    ).channels.Stable;
    expect(all.get('Google.ChromeForTesting')?.detail.version).toBe(version);
    const onMac = rowsOf(all.get('TheDocumentFoundation.LibreOffice')).filter(
      ({ osPlatform }) => osPlatform === 'MACOS',
    );
    expect(onMac.map(({ checksum }) => checksum.slice(0, 6))).toEqual(['53c968', 'c78862']);
  });

  test('every installer of winget says what its manifest says of switches and product codes', async () => {
    const all = await entries();
    const word = (text: string, name: string) =>
      new RegExp(`^[ -]*${name}: *'?(.*?)'?\\r?$`, 'm').exec(text)?.[1] ?? null;
    let compared = 0;
    for (const path of readdirSync(new URL(manifests, feedMirror), {
      recursive: true,
      encoding: 'utf8',
    })) {
      if (!path.endsWith('.installer.yaml')) continue;
      const [outer = '', inner = ''] = file(manifests + path).split(/^Installers:\r?$/m);
      for (const installer of inner.split(/^- /m).slice(1)) {
        const said = (name: string) => word(`- ${installer}`, name) ?? word(outer, name);
        const row = rowsOf(all.get(word(outer, 'PackageIdentifier') ?? '')).find(
          ({ downloadUrl }) => downloadUrl === said('InstallerUrl'),
        );
        compared += 1;
        expect(row, said('InstallerUrl') ?? path).toMatchObject({
          silentSwitches: said('Silent'),
          progressSwitches: said('SilentWithProgress'),
          locationSwitch: said('InstallLocation'),
          productCode: said('ProductCode'),
          upgradeCode: said('UpgradeCode'),
          installerType: said('InstallerType'),
          scope: said('Scope'),
        });
      }
    }
    expect(compared).toBe(31);
  });

  test('release notes are those of the newest version', async () => {
    const all = await entries();
    const told = [...all]
      .filter(([, { detail }]) => detail.releaseNotesLink !== null)
      .map(([id, { detail }]) => [id, detail.releaseNotesLink]);
    expect(Object.fromEntries(told)).toEqual({
      'Mozilla.Firefox': 'https://www.firefox.com/en-US/firefox/153.0.4/releasenotes/',
      'TheDocumentFoundation.LibreOffice': 'https://www.libreoffice.org/download/release-notes/',
    });
    expect(all.get('Mozilla.Firefox')?.detail.releaseNotes).toMatch(
      /^We're still preparing the notes/,
    );
    // Notes of 7.22.0 are in the mirror: they are not those of 7.23.0.
    expect(all.get('RARLab.WinRAR')?.detail).toMatchObject({
      version: '7.23.0',
      releaseNotes: null,
      releaseNotesLink: null,
    });
  });

  test('of each application every source is told, and none that counts alike has a newer version', async () => {
    const all = await entries();
    const index = new Map(
      (
        JSON.parse(
          file('github.com/svrooij/winget-pkgs-index/raw/main/index.v2.json').replace(
            /^\uFEFF/,
            '',
          ),
        ) as Listed[]
      ).map((entry) => [entry.PackageId, entry.Version]),
    );
    const numbers = (version: string) =>
      version
        .split(/[^\d.]/, 1)[0]
        ?.split('.')
        .map(Number) ?? [];
    const isAtLeast = (one: number[], other: number[]) => {
      const at = one.findIndex((number, place) => number !== (other[place] ?? 0));
      return at === -1
        ? other.slice(one.length).every((number) => number === 0)
        : (one[at] ?? 0) > (other[at] ?? 0);
    };
    const apart: string[] = [];
    for (const { id, scoop = '/' } of applications) {
      const detail: Entry['detail'] = all.get(id)?.detail ?? {};
      const versions = detail.versions as { source: string; version: string; osPlatform: string }[];
      const of = (source: string) => versions.find((one) => one.source === source)?.version;
      const [bucket, name] = scoop.split('/');
      const path = `raw.githubusercontent.com/ScoopInstaller/${bucket}/master/bucket/${name}.json`;
      expect(of('Scoop'), id).toBe(
        existsSync(new URL(path, feedMirror)) ? JSON.parse(file(path)).version : undefined,
      );
      expect(of('winget') === undefined, id).toBe(!index.has(id));
      expect(numbers(of('winget') ?? '0'), id).toEqual(
        numbers(of('winget') === undefined ? '0' : (index.get(id) ?? '0')),
      );
      const newest = detail.version as string;
      expect(versions.map(({ version }) => version)).toContain(newest);
      const newer = versions.filter(
        ({ version, osPlatform }) =>
          osPlatform === 'WINDOWS' && !isAtLeast(numbers(newest), numbers(version)),
      );
      expect(newer, id).toEqual([]);
      if (detail.versionNote !== null) apart.push(`${id}: ${detail.versionNote as string}`);
    }
    expect(apart).toEqual([
      'Brave.Brave: 151.1.93.136 is numbered as 1.93.134 is, with 151 in front.',
      'Foxit.FoxitReader: 2026.1.3.36551 is build 36551 of 2026.1.3.',
    ]);
  });

  test('no word of the mirror is unknown', async () => {
    expect(
      (await readings()).flatMap((reading) =>
        reading.kind === 'entry' && reading.unknownWords !== undefined ? reading.unknownWords : [],
      ),
    ).toEqual([]);
  });
});
