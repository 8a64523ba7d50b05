/** Records of errata in the updateinfo of the feed mirror's repositories, from an independent reading. */
import { globSync, readFileSync } from 'node:fs';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { NotPublished } from '../../definition/document-errors.ts';
import { opensuseFeed } from '../../vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from '../../vendors/oraclelinux/oraclelinux-feed.ts';
import { rockylinuxFeed } from '../../vendors/rockylinux/rockylinux-feed.ts';
import { feedMirror } from '../describe-with-mirror.ts';
import { findPart } from '../find-part.ts';
import { publicationFrom } from '../publication-from.ts';
import {
  everyMatch,
  type MirrorSubject,
  mirrorPath,
  mirrorUnpacked,
  withoutEntities,
} from './mirror-record.ts';

/** Returns the updates of repositories, each with functions that return the texts matching a pattern. */
function updatesIn(files: string) {
  return globSync(mirrorPath + files)
    .flatMap((path) => {
      const bytes = readFileSync(path);
      const text = path.endsWith('.zst') ? zstdDecompressSync(bytes) : gunzipSync(bytes);
      return text.toString().split('<update ').slice(1);
    })
    .map((update) => ({
      one: (pattern: RegExp) => withoutEntities(pattern.exec(update)?.[1]),
      words: (pattern: RegExp) =>
        everyMatch(update, pattern).map((word) => withoutEntities(word) ?? ''),
    }));
}

const oracle = (release: string, count: number): MirrorSubject => ({
  part: findPart(oraclelinuxFeed, release),
  count,
  // A single el6 build among the updates of Oracle Linux 8.
  says: release === '8' ? ['ELSA-2023-12143', 'ELSA-2023-12143'] : [],
  records: () =>
    updatesIn(`yum.oracle.com/repo/OracleLinux/OL${release}/**/*-updateinfo.xml.gz`)
      .filter(({ one }) => one(/<id>([^<]*)/) !== 'ELSA-2023-12143')
      .map(({ one, words }) => ({
        key: `${release}:${one(/<id>([^<]*)/)}`,
        row: {
          title: one(/<title>([^<]*)/)?.trim(),
          bulletinId: one(/<id>([^<]*)/),
          releaseDate: Date.parse(one(/<issued date="([^"]*)"/) ?? ''),
          severity: one(/<severity>([^<]*)/),
          category: one(/type="([^"]*)" version/),
          osVersion: [`Oracle Linux ${release}`],
          binaryPkgName: words(/<package name="([^"]*)"/g),
        },
        detail: {
          description: one(/<description>([^<]+)/) ?? null,
          vendorSeverity: one(/<severity>([^<]*)/),
          vendorCategory: 'security',
          status: 'final',
          referenceLink: `https://linux.oracle.com/errata/${one(/<id>([^<]*)/)}.html`,
        },
        tables: { packages: words(/<filename>([^<]*)/g) },
      })),
});

/** Maps each patch to the newest bulletin that lists it. */
async function bulletinsByPatch(): Promise<ReadonlyMap<string, string>> {
  const archive = await mirrorUnpacked('ftp.suse.com/pub/projects/security/csaf.tar.bz2');
  const stated = archive.matchAll(
    /"text": "([^"]*)",\s*"title": "Patchnames"[^]*?"id": "([^"]*)",\s*"initial_release_date"/g,
  );
  const bulletins = [...stated].flatMap(([, patches = '', id = '']) =>
    patches.split(',').map((patch) => [patch, id] as const),
  );
  return new Map(bulletins.toSorted(([, a], [, b]) => (a < b ? -1 : 1)));
}

const opensuse = (release: string, count: number): MirrorSubject => ({
  part: findPart(opensuseFeed, release),
  count,
  records: async () => {
    const bulletins = await bulletinsByPatch();
    return updatesIn(
      `download.opensuse.org/update/leap/${release}/*/repodata/*-updateinfo.xml.*`,
    ).map(({ one, words }) => {
      const patchName = one(/<id>([^<]*)/) ?? '';
      const severity = one(/<severity>([^<]*)/) ?? '';
      return {
        key: `${release}:${patchName}`,
        row: {
          title: one(/<title>([^<]*)/),
          bulletinId: bulletins.get(patchName),
          releaseDate: Number(one(/<issued date="(\d+)"/)) * 1000,
          severity: severity.charAt(0).toUpperCase() + severity.slice(1),
          category: one(/type="([^"]*)" version/),
          osVersion: [`openSUSE Leap ${release}`],
          binaryPkgName: words(/<package name="([^"]*)"/g),
          patchName,
        },
        detail: {
          description: one(/<description>([^<]*)/),
          vendorSeverity: severity,
          vendorCategory: one(/type="([^"]*)" version/),
          status: 'stable',
        },
        tables: {
          packages: words(/<filename>([^<]*)/g),
          references: words(/<reference href="([^"]*)"/g),
        },
      };
    });
  },
});

const mirror = publicationFrom(feedMirror);

export const updateinfoSubjects: Readonly<Record<string, MirrorSubject>> = {
  'openSUSE Leap 15.3': opensuse('15.3', 311),
  'openSUSE Leap 15.4': opensuse('15.4', 91),
  'openSUSE Leap 15.5': opensuse('15.5', 91),
  'openSUSE Leap 15.6': { ...opensuse('15.6', 28), isShort: true },
  'Oracle Linux 7': oracle('7', 1194),
  'Oracle Linux 8': oracle('8', 1842),
  'Oracle Linux 9': { ...oracle('9', 150), isShort: true },
  'Rocky Linux without Apollo': {
    part: findPart(rockylinuxFeed, 'advisories'),
    count: 6,
    says: [],
    publication: async () => ({
      ...mirror,
      open: async (url, options) => {
        if (url.startsWith('https://apollo.')) throw new NotPublished(url);
        return mirror.open(url, options);
      },
    }),
    words: { packages: ({ checksum = '' }) => checksum },
    records: () =>
      updatesIn('dl.rockylinux.org/pub/rocky/8/*/x86_64/os/repodata/*-updateinfo.xml.gz').map(
        ({ one, words }) => ({
          key: `8:${one(/<id>([^<]*)/)}`,
          row: {
            bulletinId: one(/<id>([^<]*)/),
            title: one(/<title>([^<]*)/),
            releaseDate: Date.parse(`${one(/<issued(?: date=")?>?([\d :-]+)/)}Z`),
            severity: one(/<severity>([^<]*)/),
            category: one(/type="(security|bugfix|enhancement)" version/),
            osVersion: ['Rocky Linux 8'],
            binaryPkgName: words(/<package name="([^"]*)"/g),
          },
          detail: {
            referenceLink: `https://errata.rockylinux.org/${one(/<id>([^<]*)/)}`,
            cve: words(/id="(CVE-[^"]*)"/g),
          },
          tables: { packages: words(/<sum type="sha256">([^<]*)/g) },
        }),
      ),
  },
};
