import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
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
import { oraclelinuxFeed } from './oraclelinux-feed.ts';

/** Of an el6 build alone, among the updates of Oracle Linux 8. */
const mistake = 'ELSA-2023-12143';

const entries = (release: string) => mirrorEntries(partOf(oraclelinuxFeed, release), mistake);

/** The repositories' text, taken apart with nothing but patterns. */
function updatesOf(release: string): string[] {
  const paths = globSync(
    `${fileURLToPath(feedMirror)}yum.oracle.com/repo/OracleLinux/OL${release}/**/*-updateinfo.xml.gz`,
  );
  return paths.flatMap((path) =>
    gunzipSync(readFileSync(path)).toString().split('<update ').slice(1),
  );
}

describeWithMirror('Oracle Linux in the feed mirror', () => {
  test.each([
    ['7', 1194],
    ['8', 1842],
    ['9', 150],
  ])('every advisory of release %s comes out with the right fields', async (release, count) => {
    const read = await entries(release);
    const written = updatesOf(release).filter((update) => !update.includes(`<id>${mistake}<`));
    expect(written).toHaveLength(count);
    expect(read.size).toBe(count);
    expect([...read.values()].flatMap(complaintsOf)).toEqual([]);
    expect([...read.values()].flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
    for (const update of written) {
      const [id = ''] = everyMatch(update, /<id>([^<]*)/g);
      const { row = {}, detail = {} } = read.get(`${release}:${id}`) ?? {};
      const one = (pattern: RegExp) => withoutEntities(everyMatch(update, pattern)[0]);
      expect(row).toEqual({
        title: one(/<title>([^<]*)/g)?.trim(),
        bulletinId: id,
        releaseDate: Date.parse(one(/<issued date="([^"]*)"/g) ?? ''),
        severity: one(/<severity>([^<]*)/g),
        category: one(/type="([^"]*)" version/g),
        osVersion: [`Oracle Linux ${release}`],
        binaryPkgName: sortedWords(everyMatch(update, /<package name="([^"]*)"/g)),
      });
      expect(detail.description ?? '').toBe(one(/<description>([^<]*)/g) ?? '');
      expect(detail).toMatchObject({
        vendorSeverity: one(/<severity>([^<]*)/g),
        vendorCategory: 'security',
        status: 'final',
      });
      expect(detail.referenceLink).toBe(`https://linux.oracle.com/errata/${id}.html`);
      expect(sortedWords(detail.cve as string[])).toEqual(
        expect.arrayContaining(sortedWords(everyMatch(update, /id="(CVE-[^"]*)"/g))),
      );
      const packages = detail.packages as { name: string; version: string; architecture: string }[];
      expect(
        sortedWords(
          packages.map(
            (of) => `${of.name}-${of.version.replace(/^\d+:/, '')}.${of.architecture}.rpm`,
          ),
        ),
      ).toEqual(sortedWords(everyMatch(update, /<filename>([^<]*)/g)));
    }
  });
});
