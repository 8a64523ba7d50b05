import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Entry } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { oraclelinuxFeed } from './oraclelinux-feed.ts';

async function entries(release: string): Promise<Map<string, Entry>> {
  const part = partOf(oraclelinuxFeed, release);
  const read = await allOf(part.read(await part.contents(publicationFrom(feedMirror))));
  expect(read.filter((reading) => !('key' in reading))).toEqual([]);
  return new Map(read.filter((reading) => 'key' in reading).map((entry) => [entry.key, entry]));
}

/** The repositories' text, taken apart with nothing but patterns. */
function updatesOf(release: string): string[] {
  const paths = globSync(`${fileURLToPath(feedMirror)}yum.oracle.com/repo/OracleLinux/OL${release}/**/*-updateinfo.xml.gz`);
  return paths.flatMap((path) => gunzipSync(readFileSync(path)).toString().split('<update ').slice(1));
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found ?? '');
const plain = (text: string | undefined) =>
  text
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll(/&#x([\dA-F]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&');
const sorted = (words: Iterable<string>) => [...new Set(words)].toSorted();

describeWithMirror('Oracle Linux in the feed mirror', () => {
  test.each([
    ['7', 1194],
    ['8', 1843],
    ['9', 150],
  ])('every advisory of release %s comes out with the right fields', async (release, count) => {
    const read = await entries(release);
    const written = updatesOf(release);
    expect(written).toHaveLength(count);
    expect(read.size).toBe(count);
    expect([...read.values()].flatMap(complaintsOf)).toEqual([]);
    for (const update of written) {
      const [id = ''] = all(update, /<id>([^<]*)/g);
      const { row = {}, detail = {} } = read.get(`${release}:${id}`) ?? {};
      const one = (pattern: RegExp) => plain(all(update, pattern)[0]);
      expect(row).toEqual({
        title: one(/<title>([^<]*)/g)?.trim(),
        bulletinId: id,
        releaseDate: Date.parse(one(/<issued date="([^"]*)"/g) ?? ''),
        severity: one(/<severity>([^<]*)/g),
        category: one(/type="([^"]*)" version/g),
        osVersion: [`Oracle Linux ${release}`],
        binaryPkgName: sorted(all(update, /<package name="([^"]*)"/g)),
      });
      expect(detail.description ?? '').toBe(one(/<description>([^<]*)/g) ?? '');
      expect(detail.referenceLink).toBe(`https://linux.oracle.com/errata/${id}.html`);
      expect(sorted(detail.cve as string[])).toEqual(expect.arrayContaining(sorted(all(update, /id="(CVE-[^"]*)"/g))));
      const packages = detail.packages as { name: string; version: string; architecture: string }[];
      expect(sorted(packages.map((of) => `${of.name}-${of.version.replace(/^\d+:/, '')}.${of.architecture}.rpm`))).toEqual(
        sorted(all(update, /<filename>([^<]*)/g)),
      );
    }
  });
});
