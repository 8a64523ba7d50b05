/** One count for each vendor of the feed mirror: the number of records that a plain reading of its documents finds, and of entries that its feed reads. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { readKey } from 'openpgp';
import { expect, test } from 'vitest';
import type { Entry, Part, Publication } from './definition/feed.ts';
import { decompress } from './parsers/decompress.ts';
import { allOf } from './testing/all-of.ts';
import { complaintsOf } from './testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from './testing/describe-with-mirror.ts';
import { partOf } from './testing/part-of.ts';
import { publicationFrom } from './testing/publication-from.ts';
import { almalinuxFeed } from './vendors/almalinux/almalinux-feed.ts';
import { centosFeed } from './vendors/centos/centos-feed.ts';
import { debianFeed } from './vendors/debian/debian-feed.ts';
import { macosFeed } from './vendors/macos/macos-feed.ts';
import { opensuseFeed } from './vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from './vendors/oraclelinux/oraclelinux-feed.ts';
import { pardusFeed } from './vendors/pardus/pardus-feed.ts';
import { rockylinuxFeed } from './vendors/rockylinux/rockylinux-feed.ts';
import { thirdpartyFeed } from './vendors/thirdparty/thirdparty-feed.ts';
import { ubuntuFeed } from './vendors/ubuntu/ubuntu-feed.ts';
import { windowsKbFeed } from './vendors/windows/windows-kb-feed.ts';

interface MirrorCount {
  readonly part: Part;
  /** The documents that state the records. */
  readonly files: string;
  /** The records in the text of all of them, each by a word of its own. */
  readonly records: (text: string) => readonly string[];
  /** The words of an entry; its key when absent. */
  readonly words?: (entry: Entry) => readonly string[];
  readonly count: number;
  /** Restricts what is read to those addresses. */
  readonly only?: RegExp;
}

const root = fileURLToPath(feedMirror);

/** The first groups of every match, joined. */
const matches = (pattern: RegExp) => (text: string) =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups.join('|'));

const updateIds = matches(/<update [^]*?<id>([^<]*)/g);
const bulletinOf = ({ key }: Entry) => [key.slice(key.indexOf(':') + 1)];
const tracker = 'salsa.debian.org/security-tracker-team/security-tracker/raw/master/data';

const counts: Readonly<Record<string, MirrorCount>> = {
  AlmaLinux: {
    part: partOf(almalinuxFeed, '9'),
    files: 'errata.almalinux.org/9/errata.full.json',
    records: matches(/"id":"(AL[A-Z]{2}-\d{4}:[A-Z]?\d+)","issued_date"/g),
    words: bulletinOf,
    count: 319,
  },
  CentOS: {
    part: partOf(centosFeed, 'errata'),
    files: 'cefs.steve-meier.de/errata.latest.xml.bz2',
    records: (text) =>
      [...text.matchAll(/<(CE[A-Z]A-\S+) [^]*?<\/\1>/g)].flatMap(([erratum, tag = '']) =>
        matches(/<os_release>(.*?)</g)(erratum).map(
          (release) => `${release}:${tag.replace('--', ':')}`,
        ),
      ),
    count: 1421,
  },
  Debian: {
    part: partOf(debianFeed, 'DLA'),
    files: `${tracker}/DLA/list`,
    // A fix that is no version, such as <end-of-life>, is none.
    records: (text) =>
      [...text.matchAll(/^\[.+?\] (DLA-[\d-]+).*\n((?:[ \t]+.*\n)*)/gm)].flatMap(
        ([, id, below = '']) =>
          matches(/^\s+\[(\w+)\] - (\S+) +[^<\s]/gm)(below).map((fix) => `${id}|${fix}`),
      ),
    count: 1769,
  },
  macOS: {
    part: partOf(macosFeed, 'software'),
    files: 'swscan.apple.com/content/catalogs/others/index-26-*leopard.merged-1.sucatalog',
    records: (text) =>
      matches(/^(?:\t| {4}){2}<key>([\w:-]+)<\/key>\n(?:\t| {4}){2}<dict>/gm)(text),
    count: 736,
  },
  openSUSE: {
    part: partOf(opensuseFeed, '15.6'),
    files: 'download.opensuse.org/update/leap/15.6/*/repodata/*-updateinfo.xml.*',
    records: updateIds,
    words: bulletinOf,
    count: 28,
  },
  'Oracle Linux': {
    part: partOf(oraclelinuxFeed, '9'),
    files: 'yum.oracle.com/repo/OracleLinux/OL9/**/*-updateinfo.xml.gz',
    records: updateIds,
    words: bulletinOf,
    count: 150,
  },
  Pardus: {
    part: partOf(pardusFeed, 'guvenlik yirmibir'),
    files: 'depo.pardus.org.tr/guvenlik/dists/yirmibir/main/binary-amd64/Packages.gz',
    records: (text) => [
      ...new Set(
        text
          .trim()
          .split(/\n\n+/)
          .map((stanza) => {
            const value = (name: string) =>
              new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
            const [source, version] = value('Source').replaceAll(/[()]/g, '').split(' ');
            return `guvenlik yirmibir|${source || value('Package')}|${version ?? value('Version')}`;
          }),
      ),
    ],
    count: 657,
  },
  'Rocky Linux': {
    part: partOf(rockylinuxFeed, 'advisories'),
    files: 'apollo.build.resf.org/api/v3/advisories/index.json@page=*&size=100',
    records: matches(/"name": ?"(R[LX][A-Z]{2}-\d{4}:\d+)"/g),
    words: bulletinOf,
    count: 869,
  },
  'third-party applications': {
    part: partOf(thirdpartyFeed, 'browser'),
    files:
      'raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests/{o/Opera,v/Vivaldi}/**/*.installer.yaml',
    records: matches(/InstallerUrl: *(\S+)/g),
    // Of Opera and Vivaldi nothing else states the newest version.
    words: ({ key, detail }) =>
      /^(?:Opera\.Opera|Vivaldi\.Vivaldi)$/.test(key)
        ? (detail['releasePackages'] as Record<string, string>[]).flatMap(
            ({ version, downloadUrl = '' }) => (version === detail['version'] ? downloadUrl : []),
          )
        : [],
    count: 6,
  },
  Ubuntu: {
    part: partOf(ubuntuFeed, 'notices'),
    files: 'ubuntu.com/security/notices.json@limit=20&offset=*&order=newest',
    records: matches(/"id": ?"([UL]SN-\d+-\d+)", ?"(?:instructions|is_hidden)"/g),
    count: 152,
  },
  Windows: {
    part: partOf(windowsKbFeed, 'msrc'),
    files: 'api.msrc.microsoft.com/cvrf/v3.0/cvrf/2026-May',
    only: /cvrf\/2026-May$/,
    records: matches(/Type="Vendor Fix">\s*<vuln:Description>(?:KB)?(\d{6,7})</g),
    words: ({ key }) => [key.replaceAll(/^KB|\|.*/g, '')],
    count: 69,
  },
};

async function textOf(path: string): Promise<string> {
  const bytes = readFileSync(path);
  if (path.endsWith('.gz')) return gunzipSync(bytes).toString();
  if (path.endsWith('.zst')) return zstdDecompressSync(bytes).toString();
  if (!path.endsWith('.bz2')) return bytes.toString();
  async function* served() {
    yield bytes;
  }
  return Buffer.concat(await allOf(decompress(served()))).toString();
}

async function publication(): Promise<Publication> {
  const key = readFileSync(new URL('keys/pardus-shape-sample.gpg', feedMirror));
  const trustedKeys = [(await readKey({ binaryKey: key })).armor()];
  return { ...publicationFrom(feedMirror, { now: Date.UTC(2026, 3, 12) }), trustedKeys };
}

describeWithMirror('the feed mirror', () => {
  test.each(Object.entries(counts))(
    'has as many records of %s as its documents state',
    async (_vendor, { part, files, records, words = ({ key }) => [key], count, only }) => {
      const texts = await Promise.all(globSync(root + files).map(textOf));
      const stated = new Set(texts.flatMap(records));
      const contents = await part.contents(await publication());
      const documents = contents.documents.filter(({ url }) => only?.test(url) ?? true);
      const entries = (await allOf(part.read({ ...contents, documents }))).filter(
        (item) => item.kind === 'entry',
      );
      expect(entries.flatMap(complaintsOf)).toEqual([]);
      expect(new Set(entries.flatMap(words))).toEqual(stated);
      expect(stated.size).toBe(count);
    },
  );
});
