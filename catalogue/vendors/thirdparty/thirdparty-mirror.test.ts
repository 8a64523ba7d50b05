import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Entry, Reading } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { applications } from './thirdparty-applications.ts';
import { thirdpartyFeed } from './thirdparty-feed.ts';

const file = (path: string) => readFileSync(new URL(path, feedMirror), 'utf8');
const manifests = 'raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/';

async function readings(): Promise<Reading[]> {
  const read = [];
  for (const part of thirdpartyFeed.parts) read.push(...(await allOf(part.read(await part.contents(publicationFrom(feedMirror))))));
  return read;
}

async function entries(): Promise<Map<string, Entry>> {
  return new Map((await readings()).filter((reading) => 'key' in reading).map((entry) => [entry.key, entry]));
}

type Row = Record<'version' | 'downloadUrl' | 'checksum' | 'osPlatform', string> & { unversionedUrl: boolean };
const rowsOf = (entry: Entry | undefined) => (entry?.detail.releasePackages ?? []) as Row[];

describeWithMirror('third-party applications in the feed mirror', () => {
  test('every application is a row that fits the list; none is kept out', async () => {
    const read = await readings();
    const found = read.filter((reading) => 'key' in reading);
    expect(found.flatMap(complaintsOf)).toEqual([]);
    expect(found.map(({ key }) => key)).toEqual(
      ['BROWSER', 'COMPRESSION', 'OFFICE'].flatMap((category) =>
        applications.filter((one) => one.category === category).map(({ id }) => id),
      ),
    );
    expect(new Set(found.map(({ row }) => row.uuid)).size).toBe(found.length);
    expect(read.filter((reading) => 'rejected' in reading)).toEqual([]);
  });

  test('every installer of every winget manifest is there, with its sum', async () => {
    const all = await entries();
    const paths = readdirSync(new URL(manifests, feedMirror), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.installer.yaml'),
    );
    expect(paths).toHaveLength(11);
    for (const path of paths) {
      const text = file(manifests + path);
      const id = /^PackageIdentifier: *(.*?)\r?$/m.exec(text)?.[1] ?? '';
      const version = /^PackageVersion: *["']?(.*?)["']?\r?$/m.exec(text)?.[1];
      const urls = [...text.matchAll(/InstallerUrl: *(\S+)/g)].map(([, url]) => url);
      const sums = [...text.matchAll(/InstallerSha256: *(\S+)/g)].map(([, sum]) => sum?.toLowerCase());
      const rows = rowsOf(all.get(id)).filter((row) => row.version === version && urls.includes(row.downloadUrl));
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
      const downloads = existsSync(new URL(path, feedMirror)) ? JSON.parse(file(path)) : { architecture: {} };
      for (const { url } of Object.values(downloads.architecture as Record<string, { url: string }>)) {
        expect(rowsOf(all.get(id)).map(({ downloadUrl }) => downloadUrl)).toContain(url.split('#')[0]);
      }
      if (downloads.version !== undefined) manifestsRead += 1;
    }
    expect(manifestsRead).toBe(20);
  });

  test('what the vendors say of themselves', async () => {
    const all = await entries();
    const { LATEST_FIREFOX_VERSION: firefox, FIREFOX_ESR: esr } = JSON.parse(file('product-details.mozilla.org/1.0/firefox_versions.json'));
    expect(rowsOf(all.get('Mozilla.Firefox')).filter(({ version }) => version === firefox)).toHaveLength(4);
    expect(rowsOf(all.get('Mozilla.Firefox.ESR')).filter(({ version }) => version === esr)).toHaveLength(4);
    const { version } = JSON.parse(file('googlechromelabs.github.io/chrome-for-testing/last-known-good-versions.json')).channels.Stable;
    expect(all.get('Google.ChromeForTesting')?.detail.version).toBe(version);
    const onMac = rowsOf(all.get('TheDocumentFoundation.LibreOffice')).filter(({ osPlatform }) => osPlatform === 'MACOS');
    expect(onMac.map(({ checksum }) => checksum.slice(0, 6))).toEqual(['53c968', 'c78862']);
  });
});
