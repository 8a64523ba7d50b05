import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allOf } from '../../testing/all-of.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { ubuntuFeed } from './ubuntu-feed.ts';

/** As the files have it, read with nothing but JSON.parse. */
interface Written {
  id: string;
  title: string;
  type: string;
  summary: string;
  description: string;
  instructions: string;
  published: string;
  references: string[];
  cves_ids: string[];
  related_notices: string[];
  releases: { codename: string; version: string; support_tag: string }[];
  release_packages: Record<
    string,
    { name: string; version: string; is_source: boolean; is_visible?: boolean; pocket?: string }[]
  >;
}

type KnownPackages = Record<string, { version: string; pocket?: string }>;
interface KnownRelease {
  sources: KnownPackages;
  binaries: KnownPackages;
  allbinaries: KnownPackages;
}

const file = (path: string) => readFileSync(new URL(path, feedMirror), 'utf8');

/** Of the pages of CVEs; the archive of priorities in the mirror is of before the vendor wrote them into it. */
function cvePriorities(): Map<string, string> {
  const pages = [0, 20, 40].map((offset) =>
    JSON.parse(file(`ubuntu.com/security/cves.json@limit=20&offset=${offset}&order=newest`)),
  );
  return new Map(
    pages.flatMap(({ cves }: { cves: { id: string; priority: string }[] }) =>
      cves.map(({ id, priority }) => [id, priority]),
    ),
  );
}

const notices = partOf(ubuntuFeed, 'notices');

describeWithMirror('Ubuntu notices in the feed mirror', () => {
  test('every notice comes out with the right fields', async () => {
    const offsets = [0, 20, 40, 60, 80, 100, 120, 140];
    const written = offsets.flatMap(
      (offset): Written[] =>
        JSON.parse(file(`ubuntu.com/security/notices.json@limit=20&offset=${offset}&order=newest`))
          .notices,
    );
    expect(written).toHaveLength(152);
    const contents = await notices.contents(publicationFrom(feedMirror));
    expect(contents.whole).toBe(true);
    // The database, the archive of priorities and the pages of CVEs stand beside them.
    expect(contents.documents).toHaveLength(offsets.length + 2 + 3);
    const read = await readingsOf(notices, contents);
    expect(read).toHaveLength(152);
    const entries = read.filter((reading) => reading.kind === 'entry');
    expect(entries.flatMap(complaintsOf)).toEqual([]);
    expect(entries.flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
    const priorities = cvePriorities();
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    expect(byKey.size).toBe(152);
    const database = await publicationFrom(feedMirror).open(
      'https://usn.ubuntu.com/usn-db/database.json.bz2',
    );
    const known: Record<string, { releases: Record<string, KnownRelease> }> = JSON.parse(
      await database.text(),
    );
    for (const record of written) {
      const { releases } = known[record.id.replace('USN-', '')] ?? { releases: {} };
      const { row, detail } = byKey.get(record.id) ?? {};
      // Python's clock has microseconds, ours stops at milliseconds.
      const published =
        Date.parse(`${record.published.slice(0, 19)}Z`) +
        Math.floor(Number(`0${record.published.slice(19) || '.0'}`) * 1000);
      const ofCves = record.cves_ids.flatMap((cve) =>
        priorities.has(cve) ? [{ cve, priority: priorities.get(cve) }] : [],
      );
      expect(row).toEqual({
        noticeId: record.id,
        title: record.title,
        type: record.type,
        published,
        releaseDate: published,
        affectedOs: row?.affectedOs,
        priority:
          ['critical', 'high', 'medium', 'low', 'negligible', 'untriaged'].find((word) =>
            ofCves.some((of) => of.priority === word),
          ) ?? null,
      });
      expect(detail?.cvePriorities).toEqual(ofCves);
      // In 2021, when these were taken, the tag said LTS of all of these releases.
      const systems = record.releases.map(
        ({ version, support_tag }) => `Ubuntu ${version}${support_tag === 'LTS' ? ' LTS' : ''}`,
      );
      expect(new Set(row?.affectedOs as string[])).toEqual(new Set(systems));
      expect(detail).toMatchObject({
        summary: record.summary || null,
        description: record.description || null,
        instructions: record.instructions || null,
        referenceLink: `https://ubuntu.com/security/notices/${record.id}`,
        cve: record.cves_ids,
        relatedNotices: record.related_notices,
        references: record.references,
      });
      const packages = Object.entries(record.release_packages).flatMap(([codename, of]) =>
        of.map(({ name, version, is_source, is_visible, pocket }) => {
          const { version: os, support_tag } =
            record.releases.find((release) => release.codename === codename) ?? {};
          const release = releases[codename];
          const facts = release?.[is_source ? 'sources' : 'allbinaries'][name];
          return {
            name,
            version: version || facts?.version || null,
            osVersion: `Ubuntu ${os}${support_tag === 'LTS' ? ' LTS' : ''}`,
            pocket: pocket || facts?.pocket || null,
            is_source,
            is_visible:
              is_visible ?? (is_source || release === undefined ? null : name in release.binaries),
          };
        }),
      );
      expect(detail?.releasePackages).toHaveLength(packages.length);
      expect(detail?.releasePackages).toEqual(expect.arrayContaining(packages));
      for (const [codename, { sources, binaries, allbinaries }] of Object.entries(releases)) {
        expect(record.release_packages[codename]).toHaveLength(
          Object.keys({ ...binaries, ...allbinaries }).length + Object.keys(sources).length,
        );
      }
    }
    const rated = entries.flatMap(({ row }) => row.priority ?? []);
    expect(rated.length).toBeGreaterThan(10);
    expect(new Set(rated)).toEqual(new Set(['medium', 'low']));
    // The database has no live patches.
    const inDatabase = entries.filter(({ row }) => row.type === 'USN');
    expect(inDatabase).toHaveLength(Object.keys(known).length);
    const packages = inDatabase.flatMap(
      ({ detail }) => detail.releasePackages as readonly Record<string, unknown>[],
    );
    const binary = packages.filter(({ is_source }) => is_source === false);
    expect(binary.every(({ is_visible }) => is_visible !== null)).toBe(true);
    expect(binary.filter(({ pocket }) => pocket !== null)).toHaveLength(15);
  });

  test('a page of the vendor itself: an empty version, a notice of 2004', async () => {
    const document = documentFrom(
      'https://ubuntu.com/security/notices.json?limit=20&offset=20&order=newest',
      file('edge-cases/ubuntu/notices-page-real.json'),
    );
    const [notice, ...more] = (
      await allOf(notices.read({ documents: [document], whole: false }))
    ).filter((reading) => reading.kind === 'entry');
    expect(more).toEqual([]);
    expect(notice?.row).toMatchObject({
      noticeId: 'USN-21-1',
      affectedOs: ['Ubuntu 4.10'],
      releaseDate: Date.UTC(2004, 10, 10, 8, 23, 12),
    });
    expect(notice?.detail).toMatchObject({
      cve: ['CVE-2004-0990'],
      relatedNotices: ['USN-11-1'],
      releasePackages: [
        {
          name: 'libgd1-xpm',
          version: null,
          osVersion: 'Ubuntu 4.10',
          pocket: null,
          is_source: false,
          is_visible: null,
        },
        {
          name: 'libgd1-noxpm',
          version: null,
          osVersion: 'Ubuntu 4.10',
          pocket: null,
          is_source: false,
          is_visible: null,
        },
      ],
    });
  });
});
