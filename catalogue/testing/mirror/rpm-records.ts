/** The errata of the feed mirror as their documents state them. */
import { globSync, readFileSync } from 'node:fs';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { NotPublished } from '../../definition/document-errors.ts';
import { almalinuxFeed } from '../../vendors/almalinux/almalinux-feed.ts';
import { centosFeed } from '../../vendors/centos/centos-feed.ts';
import { opensuseFeed } from '../../vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from '../../vendors/oraclelinux/oraclelinux-feed.ts';
import { rockylinuxFeed } from '../../vendors/rockylinux/rockylinux-feed.ts';
import { feedMirror } from '../describe-with-mirror.ts';
import { partOf } from '../part-of.ts';
import { publicationFrom } from '../publication-from.ts';
import {
  everyMatch,
  type MirrorRecord,
  type MirrorSubject,
  mirrorJson,
  mirrorPath,
  mirrorUnpacked,
  withoutEntities,
} from './mirror-record.ts';

interface AlmaAdvisory
  extends Record<'id' | 'title' | 'description' | 'type' | 'severity', string> {
  readonly issued_date: number;
  readonly updated_date: number;
  readonly packages: readonly (Record<
    'name' | 'epoch' | 'version' | 'release' | 'arch' | 'checksum',
    string
  > & { readonly reboot_suggested: number })[];
  readonly references: readonly Record<'id' | 'type' | 'href', string>[];
}

function almaRecord(release: string, advisory: AlmaAdvisory): MirrorRecord {
  const { id, packages, references } = advisory;
  const idsOf = (type: string) => references.flatMap((of) => (of.type === type ? of.id : []));
  return {
    key: `${release}:${id}`,
    row: {
      title: advisory.title,
      bulletinId: id,
      releaseDate: advisory.issued_date * 1000,
      severity: advisory.severity,
      category: advisory.type,
      osVersion: [`AlmaLinux ${release}`],
      binaryPkgName: packages.map(({ name }) => name),
    },
    detail: {
      description: advisory.description,
      updatedDate: advisory.updated_date * 1000,
      vendorSeverity: advisory.severity,
      vendorCategory: advisory.type,
      rebootSuggested: packages.some((of) => of.reboot_suggested === 1),
      restartSuggested: null,
      upstreamAdvisories: idsOf('rhsa'),
      cve: idsOf('cve'),
      referenceLink: `https://errata.almalinux.org/${release}/${id.replace(':', '-')}.html`,
    },
    tables: {
      packages: packages.map(
        (of) =>
          `${of.name} ${of.epoch === '0' ? '' : `${of.epoch}:`}${of.version}-${of.release} ${of.arch} ${of.checksum}`,
      ),
      references: references.map(({ href }) => href),
    },
  };
}

const alma = (release: string, count: number): MirrorSubject => ({
  part: partOf(almalinuxFeed, release),
  count,
  words: {
    packages: ({ name, version, architecture, checksum }) =>
      [name, version, architecture, checksum].join(' '),
  },
  records: () =>
    (
      mirrorJson(`errata.almalinux.org/${release}/errata.full.json`) as { data: AlmaAdvisory[] }
    ).data.map((advisory) => almaRecord(release, advisory)),
});

async function cefsRecords(): Promise<MirrorRecord[]> {
  const xml = await mirrorUnpacked('cefs.steve-meier.de/errata.latest.xml.bz2');
  return [...xml.matchAll(/<(CE[A-Z]A-\S+) ([^>]*)>([^]*?)<\/\1>/g)].flatMap(
    ([, tag = '', attributes = '', inside = '']) => {
      const value = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1];
      const addresses = value('references')?.split(' ') ?? [];
      return everyMatch(inside, /<os_release>(.*?)</g).map((release): MirrorRecord => {
        const packages = everyMatch(inside, /<packages>(.*?)</g).filter(
          (name) => name.includes(`.el${release}`) || !/\.el\d/i.test(name),
        );
        return {
          key: `${release}:${tag.replace('--', ':')}`,
          row: {
            title: value('synopsis'),
            bulletinId: tag.replace('--', ':'),
            releaseDate: Date.parse(`${value('issue_date')?.replace(' ', 'T')}Z`),
            severity: value('severity') ?? 'Unspecified',
            category: value('type') === 'Security Advisory' ? 'security' : 'bugfix',
            osVersion: [`CentOS ${release}`],
            binaryPkgName: packages
              .filter((name) => !name.endsWith('.src.rpm'))
              .map((name) => name.split('-').slice(0, -2).join('-')),
          },
          detail: {
            description: null,
            rebootSuggested: value('keywords') === undefined ? null : true,
            vendorSeverity: value('severity') ?? null,
            vendorCategory: value('type'),
            upstreamAdvisories: addresses.flatMap((address) => {
              const [, kind, year, number] = /\/(RH[SB]A)-(\d+)-(\d+)\.html$/.exec(address) ?? [];
              return kind === undefined ? [] : [`${kind}-${year}:${number}`];
            }),
          },
          tables: { packages, references: addresses },
        };
      });
    },
  );
}

interface ApolloAdvisory
  extends Record<'name' | 'synopsis' | 'description' | 'kind' | 'severity', string> {
  readonly published_at: string;
  readonly updated_at: string;
  readonly affected_products: readonly { variant: string; major_version: number }[];
  readonly cves: readonly { cve: string; cvss3_base_score: string | null }[];
  readonly fixes: readonly { source: string }[];
  readonly packages: readonly { nevra: string; product_name: string }[];
}

function apolloRecords(advisory: ApolloAdvisory): MirrorRecord[] {
  const { name, affected_products: products, packages } = advisory;
  const upstream = name.replace(/^R[LX]/, 'RH');
  return [...new Set(products.map((of) => String(of.major_version)))].map((release) => {
    const built = packages
      .filter((of) => new RegExp(` ${release}[ .]`).test(of.product_name))
      .map(({ nevra }) => nevra);
    return {
      key: `${release}:${name}`,
      row: {
        title: advisory.synopsis,
        bulletinId: name,
        releaseDate: Date.parse(advisory.published_at),
        severity: advisory.severity,
        category: advisory.kind === 'Security' ? 'security' : 'bugfix',
        osVersion: products
          .filter((of) => String(of.major_version) === release)
          .map(({ variant }) => `${variant} ${release}`),
        binaryPkgName: built
          .filter((nevra) => !nevra.endsWith('.src.rpm'))
          .map((nevra) => nevra.replace(/-\d+:.*/, '')),
      },
      detail: {
        description: advisory.description,
        updatedDate: Date.parse(advisory.updated_at),
        cve: advisory.cves.map(({ cve }) => cve),
        vendorSeverity: advisory.severity,
        vendorCategory: advisory.kind,
        upstreamAdvisories: [upstream],
      },
      tables: {
        packages: built,
        vulnerabilities: advisory.cves.map(
          ({ cve, cvss3_base_score: score }) =>
            `${cve} ${score === 'UNKNOWN' ? '' : (score ?? '')}`,
        ),
        references: [
          `https://access.redhat.com/errata/${upstream}`,
          ...advisory.fixes.map(({ source }) => source),
          ...(advisory.cves.length > 0 ? [''] : []),
        ],
      },
    };
  });
}

/** The updates of repositories, each with the texts that match a pattern. */
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
  part: partOf(oraclelinuxFeed, release),
  count,
  // Of an el6 build alone, among the updates of Oracle Linux 8.
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

/** The newest bulletin that lists each patch. */
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
  part: partOf(opensuseFeed, release),
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

export const rpmSubjects: Readonly<Record<string, MirrorSubject>> = {
  'AlmaLinux 8': alma('8', 1297),
  'AlmaLinux 9': { ...alma('9', 319), isShort: true },
  CentOS: {
    part: partOf(centosFeed, 'errata'),
    count: 1421,
    says: [
      'CESA-2007:0705: "qt-2.3.1-14.EL2" and 4 more',
      'CESA-2008:0893: "bzip2-1.0.1-5.EL2.1" and 2 more',
    ],
    records: cefsRecords,
    isShort: true,
  },
  'openSUSE Leap 15.3': opensuse('15.3', 311),
  'openSUSE Leap 15.4': opensuse('15.4', 91),
  'openSUSE Leap 15.5': opensuse('15.5', 91),
  'openSUSE Leap 15.6': { ...opensuse('15.6', 28), isShort: true },
  'Oracle Linux 7': oracle('7', 1194),
  'Oracle Linux 8': oracle('8', 1842),
  'Oracle Linux 9': { ...oracle('9', 150), isShort: true },
  'Rocky Linux': {
    part: partOf(rockylinuxFeed, 'advisories'),
    count: 875,
    words: {
      packages: ({ name, version = '', architecture }) =>
        `${name}-${version.includes(':') ? version : `0:${version}`}.${architecture}.rpm`,
      vulnerabilities: ({ cve, score }) => `${cve} ${score ?? ''}`,
      references: ({ address }) => address ?? '',
    },
    records: () =>
      globSync(`${mirrorPath}apollo.build.resf.org/api/v3/advisories/index.json@page=*`)
        .flatMap(
          (path) =>
            (JSON.parse(readFileSync(path, 'utf8')) as { advisories: ApolloAdvisory[] }).advisories,
        )
        .flatMap(apolloRecords),
    isShort: true,
  },
  'Rocky Linux without Apollo': {
    part: partOf(rockylinuxFeed, 'advisories'),
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
