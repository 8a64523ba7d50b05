/** Records of Ubuntu's packages and notices in the feed mirror, from an independent reading. */
import { globSync, readFileSync } from 'node:fs';
import { ubuntuFeed } from '../../vendors/ubuntu/ubuntu-feed.ts';
import { feedMirror } from '../describe-with-mirror.ts';
import { findPart } from '../find-part.ts';
import { publicationFrom } from '../publication-from.ts';
import { stanzasIn } from './deb-records.ts';
import {
  type MirrorRecord,
  type MirrorSubject,
  mirrorPath,
  mirrorText,
  mirrorUnpacked,
} from './mirror-record.ts';

const ubuntuSuite = (suite: string, archive: string, count: number): MirrorSubject => ({
  part: findPart(ubuntuFeed, suite),
  count,
  // Verified with the vendor's own keys.
  publication: async () => ({ ...publicationFrom(feedMirror), trustedKeys: [] }),
  records: () =>
    globSync('*', { cwd: `${mirrorPath}${archive}/dists/${suite}` })
      .filter((component) => component !== 'InRelease')
      .flatMap((component) =>
        stanzasIn(mirrorText(`${archive}/dists/${suite}/${component}/binary-amd64/Packages`)).map(
          ({ value, source, sourceVersion }) => {
            const [name, version, arch] = ['Package', 'Version', 'Architecture'].map(value);
            const key = [suite, component, name, version, arch].join('|');
            const phased = value('Phased-Update-Percentage');
            return {
              key,
              row: {
                patchId: key,
                title: value('Description'),
                sourcePkgName: source,
                sourcePkgVersion: sourceVersion,
                binaryPkgName: name,
                binaryPkgVersion: version,
                distribution: suite,
                priority: value('Priority'),
                arch,
                phasedUpdate: phased === null ? null : Number(phased),
              },
              detail: {
                component,
                section: value('Section'),
                size: Number(value('Size')),
                downloadUrl: `http://${archive}/${value('Filename')}`,
                checksum: value('SHA256'),
              },
            };
          },
        ),
      ),
});

interface Notice extends Record<'id' | 'title' | 'type' | 'published', string> {
  readonly summary: string;
  readonly description: string;
  readonly instructions: string;
  readonly references: readonly string[];
  readonly cves_ids: readonly string[];
  readonly related_notices: readonly string[];
  readonly releases: readonly Record<'codename' | 'version' | 'support_tag', string>[];
  readonly release_packages: Readonly<
    Record<
      string,
      readonly {
        readonly name: string;
        readonly version: string;
        readonly is_source: boolean;
        readonly is_visible?: boolean;
        readonly pocket?: string;
      }[]
    >
  >;
}

type KnownPackages = Readonly<
  Record<string, { readonly version: string; readonly pocket?: string }>
>;
type KnownReleases = Readonly<
  Record<string, Readonly<Record<'sources' | 'binaries' | 'allbinaries', KnownPackages>>>
>;

const readPages = <Value>(name: string) =>
  globSync(`${mirrorPath}ubuntu.com/security/${name}.json@limit=20&offset=*&order=newest`).flatMap(
    (path) => (JSON.parse(readFileSync(path, 'utf8')) as Record<string, Value[]>)[name] ?? [],
  );

async function noticeRecords(): Promise<MirrorRecord[]> {
  const known = JSON.parse(
    await mirrorUnpacked('usn.ubuntu.com/usn-db/database.json.bz2'),
  ) as Readonly<Record<string, { readonly releases: KnownReleases }>>;
  const priorities = new Map(
    readPages<Record<'id' | 'priority', string>>('cves').map((cve) => [cve.id, cve.priority]),
  );
  return readPages<Notice>('notices').map((notice) => {
    const { id, title, type, published, cves_ids: cve } = notice;
    // Python's clock has microseconds, JavaScript's only milliseconds.
    const time = Date.parse(`${published.slice(0, 23).padEnd(20, '.').padEnd(23, '0')}Z`);
    const rated = cve.filter((of) => priorities.has(of));
    const order = ['critical', 'high', 'medium', 'low', 'negligible', 'untriaged'];
    return {
      key: id,
      row: {
        noticeId: id,
        title,
        type,
        published: time,
        releaseDate: time,
        affectedOs: notice.releases.map(formatSystem),
        priority: order.find((word) => rated.some((of) => priorities.get(of) === word)) ?? null,
      },
      detail: {
        summary: notice.summary || null,
        description: notice.description || null,
        instructions: notice.instructions || null,
        referenceLink: `https://ubuntu.com/security/notices/${id}`,
        cve,
        relatedNotices: notice.related_notices,
        references: notice.references,
      },
      tables: {
        cvePriorities: rated.map((of) => `${of} ${priorities.get(of)}`),
        releasePackages: Object.entries(notice.release_packages).flatMap(([codename, packages]) => {
          const release = known[id.replace('USN-', '')]?.releases[codename];
          const os = notice.releases.find((of) => of.codename === codename);
          return packages.map((of) => {
            const facts = release?.[of.is_source ? 'sources' : 'allbinaries'][of.name];
            const isVisible =
              of.is_source || release === undefined ? null : of.name in release.binaries;
            return packageWord({
              name: of.name,
              version: of.version || facts?.version,
              osVersion: os && formatSystem(os),
              pocket: of.pocket || facts?.pocket,
              is_source: of.is_source,
              is_visible: of.is_visible ?? isVisible,
            });
          });
        }),
      },
    };
  });
}

/** In 2021, when the notices were copied, the tag of all of these releases was LTS. */
const formatSystem = ({ version, support_tag: tag }: Notice['releases'][number]) =>
  `Ubuntu ${version}${tag === 'LTS' ? ' LTS' : ''}`;

const packageWord = (row: Readonly<Record<string, unknown>>) =>
  ['name', 'version', 'osVersion', 'pocket', 'is_source', 'is_visible']
    .map((name) => String(row[name] ?? '') || 'none')
    .join(' ');

export const ubuntuSubjects: Readonly<Record<string, MirrorSubject>> = {
  'jammy-security of Ubuntu': ubuntuSuite('jammy-security', 'security.ubuntu.com/ubuntu', 4826),
  'jammy-backports of Ubuntu': {
    ...ubuntuSuite('jammy-backports', 'archive.ubuntu.com/ubuntu', 31),
    isShort: true,
  },
  "Ubuntu's notices": {
    part: findPart(ubuntuFeed, 'notices'),
    count: 152,
    words: {
      cvePriorities: ({ cve, priority }) => `${cve} ${priority}`,
      releasePackages: packageWord,
    },
    // The mirror's archive holds one CVE, without a priority.
    says: ['the archive of CVEs states no priority'],
    records: noticeRecords,
    isShort: true,
  },
};
