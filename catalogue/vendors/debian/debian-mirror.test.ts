import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Reading } from '../../definition/feed.ts';
import { dpkgPriorities } from '../../shapes/dpkg-advisory-shape.ts';
import { allOf } from '../../testing/all-of.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { debianFeed } from './debian-feed.ts';

const bytes = (path: string) => readFileSync(new URL(path, feedMirror));
const listPath = (key: string) => `salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${key}/list`;

async function readings(key: string): Promise<Reading[]> {
  const part = partOf(debianFeed, key);
  return allOf(part.read(await part.contents(publicationFrom(feedMirror))));
}

/** As the files have it, read by one expression over a whole advisory and JSON.parse. */
function written(key: string) {
  const tracker = JSON.parse(bytes('security-tracker.debian.org/tracker/data/json').toString()) as Record<
    string,
    Record<string, { releases: Record<string, { urgency: string }> }>
  >;
  const csv = bytes('debian.pages.debian.net/distro-info-data/debian.csv').toString();
  const version = (codename: string) => new RegExp(`^(\\S+),\\w+,${codename},`, 'm').exec(csv)?.[1] ?? codename;
  const text = bytes(listPath(key)).toString();
  const advisories = [...text.matchAll(/^\[(.+?)\] (D[LS]A-[\d-]+)(.*)\n((?:[ \t]+.*\n)*)/gm)].map(([, day, id, title, below = '']) => ({
    id,
    title: title?.trim(),
    releaseDate: Date.parse(`${day} 00:00 UTC`),
    cve: [...below.matchAll(/CVE-\d+-\d+(?=[^\n]*\})/g)].map(([cve]) => cve),
    fixes: [...below.matchAll(/^\s+\[(\w+)\] - (\S+) +(\S+)/gm)],
  }));
  const rows = advisories.flatMap(({ fixes, ...advisory }) =>
    fixes.map(([, codename = '', pkgName = '', fixed = '']) => {
      const urgencies = advisory.cve.map((cve) => tracker[pkgName]?.[cve]?.releases[codename]?.urgency.replaceAll('*', '') ?? '');
      const priority = dpkgPriorities.toReversed().find((candidate) => urgencies.includes(candidate)) ?? 'unassigned';
      return {
        ...advisory,
        key: `${advisory.id}|${codename}|${pkgName}`,
        osVersion: `Debian ${version(codename)}`,
        pkgName,
        fixed,
        priority,
      };
    }),
  );
  return { advisories, rows };
}

describeWithMirror('Debian in the feed mirror', () => {
  test.each([
    ['DSA', 5406, 6988, 62, 23],
    ['DLA', 1767, 1770, 1, 2],
  ])('every fix of %s comes out with the right fields', async (key, advisoryCount, fixCount, unfixedCount, announcementCount) => {
    const { advisories, rows } = written(key);
    expect(advisories).toHaveLength(advisoryCount);
    expect(rows).toHaveLength(fixCount);
    const read = await readings(key);
    const entries = new Map(read.filter((reading) => 'key' in reading).map((entry) => [entry.key, entry]));
    expect([...entries.values()].flatMap(complaintsOf)).toEqual([]);
    expect(entries.size).toBe(fixCount - unfixedCount);
    const told = rows.filter(({ fixed }) => !fixed.startsWith('<'));
    const expected = told.map(({ key: natural, id, title, pkgName, osVersion, priority, fixed, releaseDate }) => [
      natural,
      { title, pkgName, osVersion, bulletinId: id, priority, pkgAndVersion: `${pkgName} ${fixed}`, releaseDate },
    ]);
    expect(Object.fromEntries([...entries].map(([natural, { row }]) => [natural, row]))).toEqual(Object.fromEntries(expected));
    for (const { key: natural, cve } of told) {
      expect(entries.get(natural)?.detail).toMatchObject({ cve: [...new Set(cve)] });
    }
    const others = read.filter((reading) => !('key' in reading));
    expect(others).toHaveLength(unfixedCount + announcementCount);
    expect(others.filter((reading) => 'rejected' in reading && reading.reason.includes('announcement'))).toHaveLength(announcementCount);
  });

  test('urgencies of the tracker are met', async () => {
    const met = new Set((await readings('DSA')).flatMap((reading) => ('key' in reading ? [reading.row.priority] : [])));
    expect(met).toEqual(new Set(dpkgPriorities));
  });

  test('the list of the testing team, and an archive in place of a list, bring no rows', async () => {
    const served = (path: string) => {
      const publication = publicationFrom(feedMirror);
      const open = async (url: string) => {
        const document = await publication.open(url);
        if (!url.endsWith('/DSA/list')) return document;
        const text = async () => new TextDecoder('utf-8', { fatal: true }).decode(bytes(path));
        return { ...document, text };
      };
      const part = partOf(debianFeed, 'DSA');
      return part.contents({ ...publication, open }).then((contents) => allOf(part.read(contents)));
    };
    await expect(served('edge-cases/debian/DTSA-list')).rejects.toThrow('there is no advisory in it');
    await expect(served('edge-cases/debian/osv-all.sample.zip')).rejects.toThrow('not valid');
  });
});
