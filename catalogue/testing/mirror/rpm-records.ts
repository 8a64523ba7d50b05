/** Records of errata in the feed mirror that vendors publish in their own formats, from an independent reading. */
import { globSync, readFileSync } from 'node:fs';
import { almalinuxFeed } from '../../vendors/almalinux/almalinux-feed.ts';
import { centosFeed } from '../../vendors/centos/centos-feed.ts';
import { rockylinuxFeed } from '../../vendors/rockylinux/rockylinux-feed.ts';
import { findPart } from '../find-part.ts';
import {
  everyMatch,
  type MirrorRecord,
  type MirrorSubject,
  mirrorJson,
  mirrorPath,
  mirrorUnpacked,
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
  const listIds = (type: string) => references.flatMap((of) => (of.type === type ? of.id : []));
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
      upstreamAdvisories: listIds('rhsa'),
      cve: listIds('cve'),
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
  part: findPart(almalinuxFeed, release),
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

export const rpmSubjects: Readonly<Record<string, MirrorSubject>> = {
  'AlmaLinux 8': alma('8', 1297),
  'AlmaLinux 9': { ...alma('9', 319), isShort: true },
  CentOS: {
    part: findPart(centosFeed, 'errata'),
    count: 1421,
    says: [
      'CESA-2007:0705: "qt-2.3.1-14.EL2" and 4 more',
      'CESA-2008:0893: "bzip2-1.0.1-5.EL2.1" and 2 more',
    ],
    records: cefsRecords,
    isShort: true,
  },
  'Rocky Linux': {
    part: findPart(rockylinuxFeed, 'advisories'),
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
};
