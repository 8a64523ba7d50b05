/** Checks the newest versions of third-party applications against the documents of the feed mirror. */
import { expect, test } from 'vitest';
import { describeWithMirror } from '../../testing/describe-with-mirror.ts';
import { mirrorJson } from '../../testing/mirror/mirror-record.ts';
import { readPartEntries } from '../../testing/mirror-entries.ts';
import { thirdpartyFeed } from './thirdparty-feed.ts';

interface Version {
  readonly version: string;
  readonly osPlatform: string;
}

/** Compares number by number: true when `version` is not lower. */
function isAtLeast(version: string, other: string): boolean {
  const [numbers = [], others = []] = [version, other].map((text) =>
    (text.split(/[^\d.]/, 1)[0] ?? '').split('.').map(Number),
  );
  const length = Math.max(numbers.length, others.length);
  const at = Array.from({ length }, (_, index) => (numbers[index] ?? 0) - (others[index] ?? 0));
  return (at.find((difference) => difference !== 0) ?? 0) >= 0;
}

describeWithMirror('third-party applications in the feed mirror', () => {
  test('shows the newest version of all sources, and only its own release notes', async () => {
    const all = (await Promise.all(thirdpartyFeed.parts.map(readPartEntries))).flat();
    const details = new Map(all.map(({ key, detail }) => [key, detail]));
    for (const { key, row, detail } of all) {
      const versions = detail['versions'] as readonly Version[];
      const newest = row['version'] as string;
      expect(versions.map(({ version }) => version)).toContain(newest);
      const windows = versions.filter(({ osPlatform }) => osPlatform === 'WINDOWS');
      expect(
        windows.filter(({ version }) => !isAtLeast(newest, version)),
        key,
      ).toEqual([]);
    }
    const mozilla = mirrorJson('product-details.mozilla.org/1.0/firefox_versions.json') as Record<
      string,
      string
    >;
    const listInstallers = (id: string, newest: string | undefined) =>
      ((details.get(id)?.['releasePackages'] ?? []) as Version[]).filter(
        (of) => of.version === newest,
      );
    expect(listInstallers('Mozilla.Firefox', mozilla['LATEST_FIREFOX_VERSION'])).toHaveLength(4);
    expect(listInstallers('Mozilla.Firefox.ESR', mozilla['FIREFOX_ESR'])).toHaveLength(4);
    const stated = (name: string) =>
      Object.fromEntries([...details].flatMap(([id, of]) => (of[name] ? [[id, of[name]]] : [])));
    expect(stated('versionNote')).toEqual({
      'Brave.Brave': '151.1.93.136 is numbered as 1.93.134 is, with 151 in front.',
      'Foxit.FoxitReader': '2026.1.3.36551 is build 36551 of 2026.1.3.',
    });
    // The mirror has notes of WinRAR 7.22.0, which are not those of 7.23.0.
    expect(stated('releaseNotesLink')).toEqual({
      'Mozilla.Firefox': 'https://www.firefox.com/en-US/firefox/153.0.4/releasenotes/',
      'TheDocumentFoundation.LibreOffice': 'https://www.libreoffice.org/download/release-notes/',
    });
  });
});
