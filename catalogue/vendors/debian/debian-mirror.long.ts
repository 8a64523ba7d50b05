import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { FeedItem, Publication } from '../../definition/feed.ts';
import { dpkgPriorities } from '../../schemas/dpkg-advisory-shape.ts';
import { complaintsOf } from '../../testing/complaints-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { signer } from '../../testing/signed-text.ts';
import { debianFeed } from './debian-feed.ts';

const bytes = (path: string) => readFileSync(new URL(path, feedMirror));
const listPath = (key: string) =>
  `salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${key}/list`;

async function readings(key: string): Promise<FeedItem[]> {
  const part = partOf(debianFeed, key);
  return readingsOf(part, await part.contents(publicationFrom(feedMirror)));
}

/** As the files have it, read by one expression over a whole advisory and JSON.parse. */
function written(key: string) {
  const tracker = JSON.parse(
    bytes('security-tracker.debian.org/tracker/data/json').toString(),
  ) as Record<string, Record<string, { releases: Record<string, { urgency: string }> }>>;
  const csv = bytes('debian.pages.debian.net/distro-info-data/debian.csv').toString();
  const version = (codename: string) =>
    new RegExp(`^(\\S+),\\w+,${codename},`, 'm').exec(csv)?.[1] ?? codename;
  const text = bytes(listPath(key)).toString();
  const advisories = [...text.matchAll(/^\[(.+?)\] (D[LS]A-[\d-]+)(.*)\n((?:[ \t]+.*\n)*)/gm)].map(
    ([, day, id, title, below = '']) => ({
      id,
      title: title?.trim(),
      releaseDate: Date.parse(`${day} 00:00 UTC`),
      cve: [...below.matchAll(/CVE-\d+-\d+(?=[^\n]*\})/g)].map(([cve]) => cve),
      fixes: [...below.matchAll(/^\s+\[(\w+)\] - (\S+) +(\S+)/gm)],
    }),
  );
  const rows = advisories.flatMap(({ fixes, ...advisory }) =>
    fixes.map(([, codename = '', pkgName = '', fixed = '']) => {
      const urgencies = advisory.cve.map(
        (cve) => tracker[pkgName]?.[cve]?.releases[codename]?.urgency.replaceAll('*', '') ?? '',
      );
      const priority =
        dpkgPriorities.toReversed().find((candidate) => urgencies.includes(candidate)) ??
        'unassigned';
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

/** The records of bullseye-security, which stand under the address of Pardus 21 in the mirror, at Debian's own address, signed for this test. */
async function securityArchive(): Promise<{ publication: Publication; stanzas: Stanza[] }> {
  const packed = bytes('depo.pardus.org.tr/guvenlik/dists/yirmibir/main/binary-amd64/Packages.gz');
  const suite = 'http://security.debian.org/debian-security/dists/bullseye-security';
  const { publicKey, sign } = await signer();
  const sum = createHash('sha256').update(packed).digest('hex');
  const release = await sign(
    `Codename: bullseye-security\nSHA256:\n ${sum} ${packed.length} main/binary-amd64/Packages.gz\n`,
  );
  const mirror = publicationFrom(feedMirror);
  const served: Record<string, string | Buffer> = {
    [`${suite}/InRelease`]: release,
    [`${suite}/main/binary-amd64/Packages.gz`]: packed,
  };
  const open: Publication['open'] = async (url, options) => {
    const body = served[url];
    return body === undefined ? mirror.open(url, options) : documentFrom(url, body);
  };
  const text = gunzipSync(packed).toString().trim();
  return {
    publication: { ...mirror, trustedKeys: [publicKey], open },
    stanzas: text.split(/\n\n+/).map(stanzaOf),
  };
}

type Stanza = ReturnType<typeof stanzaOf>;

/** Read with nothing but patterns. */
function stanzaOf(stanza: string) {
  const value = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(stanza)?.[1] ?? '';
  const [source = '', sourceVersion = ''] = value('Source').replace(/[()]/g, '').split(' ');
  const [name, version] = [value('Package'), value('Version')];
  return {
    name,
    version,
    source: source || name,
    sourceVersion: sourceVersion || version,
    architecture: value('Architecture'),
    checksum: value('SHA256'),
  };
}

describeWithMirror('Debian in the feed mirror', () => {
  test('every fix of bullseye has the binary packages that the index names for its source package', async () => {
    const { publication, stanzas } = await securityArchive();
    const part = partOf(debianFeed, 'DSA');
    const read = await readingsOf(part, await part.contents(publication));
    const fixes = read
      .filter((reading) => reading.kind === 'entry')
      .filter(({ key }) => key.includes('|bullseye|'));
    expect(fixes).toHaveLength(410);
    const counts = { own: 0, newer: 0, none: 0 };
    for (const { key, row, detail } of fixes) {
      const [, , pkgName = ''] = key.split('|');
      const fixed = String(row['pkgAndVersion']).slice(pkgName.length + 1);
      const built = stanzas.filter(({ source }) => source === pkgName);
      const own = built.filter(({ sourceVersion }) => sourceVersion === fixed);
      const packages = detail['packages'] as Pick<
        Stanza,
        'name' | 'version' | 'architecture' | 'checksum'
      >[];
      const state = own.length > 0 ? 'own' : built.length > 0 ? 'newer' : 'none';
      counts[state] += 1;
      const whole = (of: (typeof packages)[number]) =>
        [of.name, of.version, of.architecture, of.checksum].join(' ');
      const expected = {
        own: own.map(whole),
        newer: built
          .filter(({ name }) => !/-\d+\.\d+\.\d+[-+]/.test(name))
          .map((of) =>
            [of.name, of.version === of.sourceVersion ? fixed : null, of.architecture, null].join(
              ' ',
            ),
          ),
        none: [],
      }[state];
      expect(packages.map(whole).toSorted(), key).toEqual([...new Set(expected)].toSorted());
      const from = {
        own: 'bullseye-security',
        newer: 'bullseye-security, which holds another version of the source package',
        none: null,
      };
      expect(detail['packagesFrom'], key).toBe(packages.length === 0 ? null : from[state]);
    }
    expect(counts).toEqual({ own: 80, newer: 327, none: 3 });
  });

  test.each([
    ['DSA', 5406, 6988, 62, 23],
    ['DLA', 1767, 1770, 1, 2],
  ])(
    'every fix of %s comes out with the right fields',
    async (key, advisoryCount, fixCount, unfixedCount, announcementCount) => {
      const { advisories, rows } = written(key);
      expect(advisories).toHaveLength(advisoryCount);
      expect(rows).toHaveLength(fixCount);
      const read = await readings(key);
      const entries = new Map(
        read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
      );
      expect([...entries.values()].flatMap(complaintsOf)).toEqual([]);
      expect([...entries.values()].flatMap(({ unknownWords = [] }) => unknownWords)).toEqual([]);
      expect(entries.size).toBe(fixCount - unfixedCount);
      const told = rows.filter(({ fixed }) => !fixed.startsWith('<'));
      const expected = told.map(
        ({ key: natural, id, title, pkgName, osVersion, priority, fixed, releaseDate }) => [
          natural,
          {
            title,
            pkgName,
            osVersion,
            bulletinId: id,
            priority,
            pkgAndVersion: `${pkgName} ${fixed}`,
            releaseDate,
          },
        ],
      );
      expect(Object.fromEntries([...entries].map(([natural, { row }]) => [natural, row]))).toEqual(
        Object.fromEntries(expected),
      );
      for (const { key: natural, cve } of told) {
        expect(entries.get(natural)?.detail).toMatchObject({ cve: [...new Set(cve)] });
      }
      const others = read.filter(({ kind }) => kind !== 'entry' && kind !== 'unfixed');
      expect(others).toHaveLength(unfixedCount + announcementCount);
      expect(
        others.filter(
          (reading) => reading.kind === 'rejection' && reading.reason.includes('announcement'),
        ),
      ).toHaveLength(announcementCount);
    },
  );

  test('what the tracker says to be open is a vulnerability without a fix', async () => {
    const text = bytes('security-tracker.debian.org/tracker/data/json').toString();
    const tracker = JSON.parse(text) as Record<
      string,
      Record<string, { releases: Record<string, { status: string; urgency: string }> }>
    >;
    const expected = Object.entries(tracker).flatMap(([name, cves]) =>
      Object.entries(cves).flatMap(([cve, { releases }]) =>
        Object.entries(releases)
          .filter(([codename, { status }]) => status === 'open' && codename !== 'sid')
          .map(([codename]) => `${name} ${cve} ${codename}`),
      ),
    );
    const found = (await readings('DSA')).filter((reading) => reading.kind === 'unfixed');
    expect(found).toHaveLength(expected.length);
    expect(new Set(found.map((one) => `${one.package} ${one.cve}`))).toEqual(
      new Set(expected.map((line) => line.split(' ').slice(0, 2).join(' '))),
    );
  });

  test('urgencies of the tracker are met', async () => {
    const met = new Set(
      (await readings('DSA')).flatMap((reading) =>
        reading.kind === 'entry' ? [reading.row.priority] : [],
      ),
    );
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
      return part.contents({ ...publication, open }).then((contents) => readingsOf(part, contents));
    };
    await expect(served('edge-cases/debian/DTSA-list')).rejects.toThrow(
      'there is no advisory in it',
    );
    await expect(served('edge-cases/debian/osv-all.sample.zip')).rejects.toThrow('not valid');
  });
});
