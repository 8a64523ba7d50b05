import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import {
  everyMatch,
  mirrorEntries,
  sortedWords,
  withoutEntities,
} from '../../testing/mirror-entries.ts';
import { partOf } from '../../testing/part-of.ts';
import { opensuseFeed } from './opensuse-feed.ts';

const root = fileURLToPath(feedMirror);

const entries = (release: string) => mirrorEntries(partOf(opensuseFeed, release));

/** The repositories' text, taken apart with nothing but patterns. */
function updatesOf(release: string): string[] {
  return globSync(
    `${root}download.opensuse.org/update/leap/${release}/*/repodata/*-updateinfo.xml.*`,
  ).flatMap((path) => {
    const bytes = readFileSync(path);
    const text = path.endsWith('.zst')
      ? zstdDecompressSync(bytes).toString()
      : execFileSync('gzip', ['-dc'], { input: bytes, maxBuffer: 1e9 }).toString();
    return text.split('<update ').slice(1);
  });
}

/** Which bulletins list which patch, from the archive unpacked by tar. */
function bulletinsByPatch(): Map<string, string[]> {
  const json = execFileSync(
    'tar',
    ['-xjOf', `${root}ftp.suse.com/pub/projects/security/csaf.tar.bz2`],
    { maxBuffer: 1e9 },
  ).toString();
  const found = new Map<string, string[]>();
  for (const document of json.split(/\n(?=\{)/)) {
    const { document: of } = JSON.parse(document) as {
      document: { notes: { title: string; text: string }[]; tracking: { id: string } };
    };
    const patches = of.notes.find(({ title }) => title === 'Patchnames')?.text.split(',') ?? [];
    for (const patch of patches)
      found.set(patch, [...(found.get(patch) ?? []), of.tracking.id].toSorted());
  }
  return found;
}

describeWithMirror('openSUSE in the feed mirror', () => {
  test.each([
    ['15.3', 311],
    ['15.4', 91],
    ['15.5', 91],
    ['15.6', 28],
  ])('every patch of Leap %s comes out with the right fields', async (release, count) => {
    const read = await entries(release);
    const written = updatesOf(release);
    const bulletins = bulletinsByPatch();
    expect(written).toHaveLength(count);
    expect(read.size).toBe(count);
    expect([...read.values()].flatMap(complaintsOf)).toEqual([]);
    expect([...read.values()].flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
    for (const update of written) {
      const [id = ''] = everyMatch(update, /<id>([^<]*)/g);
      const { row = {}, detail = {} } = read.get(`${release}:${id}`) ?? {};
      const one = (pattern: RegExp) => withoutEntities(everyMatch(update, pattern)[0]);
      const severity = one(/<severity>([^<]*)/g) ?? '';
      const names = sortedWords(everyMatch(update, /<package name="([^"]*)"/g));
      expect(row).toEqual({
        title: one(/<title>([^<]*)/g),
        bulletinId: bulletins.get(id)?.at(-1),
        releaseDate: Number(one(/<issued date="(\d+)"/g)) * 1000,
        severity: severity.charAt(0).toUpperCase() + severity.slice(1),
        category: one(/type="([^"]*)" version/g),
        osVersion: [`openSUSE Leap ${release}`],
        binaryPkgName: names,
        patchName: id,
      });
      expect(detail).toMatchObject({
        vendorSeverity: severity,
        vendorCategory: one(/type="([^"]*)" version/g),
        status: 'stable',
      });
      expect(detail.description).toBe(one(/<description>([^<]*)/g));
      expect(sortedWords(detail.cve as string[])).toEqual(
        sortedWords(everyMatch(update, /id="(CVE-[^"]*)"/g)),
      );
      const packages = detail.packages as { name: string; version: string; architecture: string }[];
      expect(
        sortedWords(packages.map((of) => `${of.name}-${of.version}.${of.architecture}.rpm`)),
      ).toEqual(sortedWords(everyMatch(update, /<filename>([^<]*)/g)));
      const addresses = (detail.references as { address: string }[]).map(({ address }) => address);
      expect(sortedWords(addresses)).toEqual(
        sortedWords(
          everyMatch(update, /<reference href="([^"]*)"/g).map(
            (href) => withoutEntities(href) ?? '',
          ),
        ),
      );
    }
  });
});
