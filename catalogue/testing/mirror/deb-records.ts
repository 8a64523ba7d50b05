/** Fixes of Debian and Pardus in the feed mirror, from an independent reading. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readKey } from 'openpgp';
import type { Publication } from '../../definition/feed.ts';
import { debianFeed } from '../../vendors/debian/debian-feed.ts';
import { pardusFeed } from '../../vendors/pardus/pardus-feed.ts';
import { feedMirror } from '../describe-with-mirror.ts';
import { documentFrom } from '../document-from.ts';
import { findPart } from '../find-part.ts';
import { publicationFrom } from '../publication-from.ts';
import { createSigner } from '../signed-text.ts';
import {
  everyMatch,
  type MirrorRecord,
  type MirrorSubject,
  mirrorFile,
  mirrorJson,
  mirrorPath,
  mirrorText,
} from './mirror-record.ts';

const securityData = 'salsa.debian.org/security-tracker-team/security-tracker/raw/master/data';
const tracker = () =>
  mirrorJson('security-tracker.debian.org/tracker/data/json') as Record<
    string,
    Record<string, { releases: Record<string, { urgency: string; status: string }> }>
  >;
/** Lists the open vulnerabilities of the tracker's releases. */
const openVulnerabilities = () =>
  Object.entries(tracker()).flatMap(([name, cves]) =>
    Object.entries(cves).flatMap(([cve, { releases }]) =>
      Object.entries(releases).flatMap(([codename, { status }]) =>
        status === 'open' && codename !== 'sid' ? `${name} ${cve}` : [],
      ),
    ),
  );
/** Most urgent first. */
const urgencies = ['high', 'medium', 'low', 'unimportant', 'end-of-life', 'not yet assigned'];

/** A fix without a version, such as <end-of-life>, yields no record. */
function debianRecords(list: string): MirrorRecord[] {
  const tracked = tracker();
  const csv = mirrorText('debian.pages.debian.net/distro-info-data/debian.csv');
  const text = mirrorText(`${securityData}/${list}/list`);
  return [...text.matchAll(/^\[(.+?)\] (D[LS]A-[\d-]+)(.*)\n((?:[ \t]+.*\n)*)/gm)].flatMap(
    ([, day, bulletinId, title, below = '']) => {
      const cve = everyMatch(below, /(CVE-\d+-\d+)(?=[^\n]*\})/g);
      const fixes = [...below.matchAll(/^\s+\[(\w+)\] - (\S+) +([^<\s]\S*)/gm)];
      return fixes.map(([, codename = '', pkgName = '', fixed]) => {
        const stated = cve.map((id) =>
          tracked[pkgName]?.[id]?.releases[codename]?.urgency.replaceAll('*', ''),
        );
        const version = new RegExp(`^(\\S+),\\w+,${codename},`, 'm').exec(csv)?.[1] ?? codename;
        const priority = urgencies.find((word) => stated.includes(word)) ?? 'unassigned';
        return {
          key: `${bulletinId}|${codename}|${pkgName}`,
          row: {
            title: title?.trim(),
            pkgName,
            osVersion: `Debian ${version}`,
            bulletinId,
            priority: priority === 'not yet assigned' ? 'unassigned' : priority,
            pkgAndVersion: `${pkgName} ${fixed}`,
            releaseDate: Date.parse(`${day} 00:00 UTC`),
          },
          detail: { cve },
        };
      });
    },
  );
}

/** Parses the stanzas of an index with patterns only. */
export function stanzasIn(text: string) {
  return text
    .trim()
    .split(/\n\n+/)
    .map((stanza) => {
      const value = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? null;
      const [source, sourceVersion] = (value('Source') ?? '').replaceAll(/[()]/g, '').split(' ');
      return {
        value,
        source: source || value('Package'),
        sourceVersion: sourceVersion ?? value('Version'),
      };
    });
}

const bullseye = 'http://security.debian.org/debian-security/dists/bullseye-security';
const bullseyeIndex = 'depo.pardus.org.tr/guvenlik/dists/yirmibir/main/binary-amd64/Packages.gz';

/** Serves the index of bullseye-security, which the mirror has under the address of Pardus 21, at Debian's own address, signed. */
async function bullseyePublication(): Promise<Publication> {
  const packed = mirrorFile(bullseyeIndex);
  const { publicKey, sign } = await createSigner();
  const sum = createHash('sha256').update(packed).digest('hex');
  const served: Readonly<Record<string, string | Buffer>> = {
    [`${bullseye}/InRelease`]: await sign(
      `Codename: bullseye-security\nSHA256:\n ${sum} ${packed.length} main/binary-amd64/Packages.gz\n`,
    ),
    [`${bullseye}/main/binary-amd64/Packages.gz`]: packed,
  };
  const mirror = publicationFrom(feedMirror);
  const open: Publication['open'] = async (url, options) => {
    const body = served[url];
    return body === undefined ? mirror.open(url, options) : documentFrom(url, body);
  };
  return { ...mirror, trustedKeys: [publicKey], open };
}

/** Lists the fixes of bullseye with the binary packages of their version, or with the names of those of another version. */
function bullseyeRecords(): MirrorRecord[] {
  const stanzas = stanzasIn(gunzipSync(mirrorFile(bullseyeIndex)).toString());
  return debianRecords('DSA').map((record) => {
    const [, codename, pkgName] = record.key.split('|');
    if (codename !== 'bullseye') return record;
    const fixed = String(record.row['pkgAndVersion']).split(' ')[1];
    const built = stanzas.filter(({ source }) => source === pkgName);
    const own = built.filter(({ sourceVersion }) => sourceVersion === fixed);
    const toWords = ({ value, sourceVersion }: (typeof built)[number]) => {
      const isOwnVersion = value('Version') === sourceVersion;
      const version = own.length > 0 ? value('Version') : isOwnVersion ? fixed : null;
      const checksum = own.length > 0 ? value('SHA256') : null;
      return [value('Package'), version, value('Architecture'), checksum].join(' ');
    };
    const unversioned = built.filter(
      ({ value }) => !/-\d+\.\d+\.\d+[-+]/.test(value('Package') ?? ''),
    );
    const packages = (own.length > 0 ? own : unversioned).map(toWords);
    const another = ', which holds another version of the source package';
    const from = `bullseye-security${own.length > 0 ? '' : another}`;
    return {
      ...record,
      detail: { packagesFrom: packages.length === 0 ? null : from },
      tables: { packages },
    };
  });
}

async function pardusPublication(): Promise<Publication> {
  const binaryKey = mirrorFile('keys/pardus-shape-sample.gpg');
  return { ...publicationFrom(feedMirror), trustedKeys: [(await readKey({ binaryKey })).armor()] };
}

/** Returns the first advisory of the lists with that fix on the base release. */
function findAdvisory(lists: readonly string[], base: string, fix: string): string | null {
  const escaped = fix.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`^\\s+\\[${base}\\] - ${escaped}\\b(?![.+~:-])`, 'm');
  for (const list of lists) {
    const at = pattern.exec(list)?.index;
    const before = everyMatch(list.slice(0, at ?? 0), /^\[.*?\] (D[SL]A-\S+)/gm);
    if (before.length > 0) return before.at(-1) ?? null;
  }
  return null;
}

function pardusRecords(key: string, base: string, osVersion: string): MirrorRecord[] {
  const [repository, suite] = key.split(' ');
  const lists = ['DSA', 'DLA'].map((list) => mirrorText(`${securityData}/${list}/list`));
  const stanzas = globSync(
    `${mirrorPath}depo.pardus.org.tr/${repository}/dists/${suite}/*/binary-amd64/Packages.gz`,
  ).flatMap((path) => stanzasIn(gunzipSync(readFileSync(path)).toString()));
  const ofSource = Map.groupBy(stanzas, (of) => `${of.source} ${of.sourceVersion}`);
  return [...ofSource].map(([pkgAndVersion, built]) => {
    const [pkgName] = pkgAndVersion.split(' ');
    return {
      key: `${key}|${pkgAndVersion.replace(' ', '|')}`,
      row: {
        pkgName,
        osVersion,
        pkgAndVersion,
        bulletinId: findAdvisory(lists, base, pkgAndVersion),
      },
      tables: {
        packages: built.map(({ value }) =>
          ['Package', 'Version', 'Architecture', 'SHA256'].map(value).join(' '),
        ),
      },
    };
  });
}

const pardus = (key: string, base: string, osVersion: string, count: number): MirrorSubject => ({
  part: findPart(pardusFeed, key),
  count,
  publication: pardusPublication,
  words: { packages: (row) => Object.values(row).join(' ') },
  records: () => pardusRecords(key, base, osVersion),
});

export const debSubjects: Readonly<Record<string, MirrorSubject>> = {
  'DSA of Debian with the archive of bullseye': {
    part: findPart(debianFeed, 'DSA'),
    count: 6926,
    says: 85,
    publication: bullseyePublication,
    words: { packages: (row) => Object.values(row).join(' ') },
    records: bullseyeRecords,
    unfixed: openVulnerabilities,
  },
  'DLA of Debian': {
    part: findPart(debianFeed, 'DLA'),
    count: 1769,
    says: 3,
    records: () => debianRecords('DLA'),
    isShort: true,
  },
  'Pardus 23 guvenlik': pardus('guvenlik yirmiuc-deb', 'bookworm', 'Pardus 23 guvenlik', 414),
  'Pardus 21 guvenlik': {
    ...pardus('guvenlik yirmibir', 'bullseye', 'Pardus 21 guvenlik', 657),
    isShort: true,
  },
  'Pardus 23': pardus('pardus yirmiuc', 'bookworm', 'Pardus 23', 12),
  'Pardus 21': pardus('pardus yirmibir', 'bullseye', 'Pardus 21', 9),
};
