/** Field cases of Linux machines, judged against records of the feed mirror, with variants of each kind. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Entry, FeedItem } from '../definition/feed.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import { findPart } from '../testing/find-part.ts';
import { inventoryFile } from '../testing/machine-inventories.ts';
import { centosFeed } from '../vendors/centos/centos-feed.ts';
import { debianFeed } from '../vendors/debian/debian-feed.ts';
import { oraclelinuxFeed } from '../vendors/oraclelinux/oraclelinux-feed.ts';
import { ubuntuNoticePart } from '../vendors/ubuntu/ubuntu-notice-part.ts';
import { inventoryAdvice } from './inventory/inventory-advice.ts';
import { inventoryText } from './inventory/inventory-text.ts';
import { describeWithFieldCases, fieldCase } from './testing/field-case.ts';
import {
  itemLines,
  type JudgedInventory,
  judgedPackages,
  mirrorItems,
  recordLines,
} from './testing/judged-over-records.ts';

const inventory = (path: string) => inventoryText(inventoryFile(path));
const oracle = (release: string, ...lines: readonly string[]) =>
  ['ID="ol"', `VERSION_ID="${release}"`, ...lines].join('\n');
const bullseye = (...lines: readonly string[]) =>
  ['ID=debian', 'VERSION_ID="11"', ...lines].join('\n');
/** The mirror has no advisories of Debian 12, so those of 11 stand in for them. */
const ofBullseye = (file: string) =>
  fieldCase(file).replaceAll('12', '11').replaceAll('bookworm', 'bullseye');
const getAdviceKinds = ({ reading }: JudgedInventory) =>
  inventoryAdvice(reading).map(({ kind }) => kind);

function findEntry(items: readonly FeedItem[], key: string): Entry {
  const found = items.find((item) => item.kind === 'entry' && item.key.includes(key));
  if (found?.kind !== 'entry') throw new Error(`The mirror has no record ${key}`);
  return found;
}

/** Returns a record with other packages than the mirror's. */
const withPackages = (entry: Entry, packages: readonly object[]): Entry => ({
  ...entry,
  detail: { ...entry.detail, packages } as Entry['detail'],
});

describeWithMirror('records of the feed mirror', () => {
  describeWithFieldCases('in field cases of Linux', () => {
    let ol7: readonly FeedItem[];
    let ol8: readonly FeedItem[];
    let debian: readonly FeedItem[];
    let centos: readonly FeedItem[];
    beforeAll(async () => {
      ol7 = await mirrorItems(findPart(oraclelinuxFeed, '7'));
      ol8 = await mirrorItems(findPart(oraclelinuxFeed, '8'));
      debian = (await mirrorItems(findPart(debianFeed, 'DSA'))).filter(
        (item) => item.kind !== 'entry' || item.row['osVersion'] === 'Debian 11',
      );
      centos = await mirrorItems(findPart(centosFeed, 'errata'));
    }, 120_000);

    describe('03: builds of another architecture', () => {
      /** Rebuilds the packages for ARM once more, as the vendor did. */
      const rebuilt = () => {
        const entry = findEntry(ol7, 'ELSA-2022-4803');
        const x86 = (entry.detail['packages'] ?? []) as readonly Record<string, unknown>[];
        const arm = x86.map((one) => ({
          ...one,
          architecture: 'aarch64',
          version: String(one['version']).replace('57.0.1', '57.0.4'),
        }));
        return withPackages(entry, [...x86, ...arm]);
      };

      it('judges the build of the architecture that the inventory names', () => {
        const judged = (file: string) => judgedPackages(fieldCase(file), [rebuilt()]);
        expect(itemLines(judged('03-ol7-x86_64.txt'))).toEqual(['rsyslog fixed']);
        expect(recordLines(judged('03-ol7-aarch64.txt'))).toEqual([
          expect.stringMatching(
            /^missing .*ELSA-2022-4803: rsyslog 8\.24\.0-57\.0\.3\.el7_9\.3 → 8\.24\.0-57\.0\.4\.el7_9\.3$/,
          ),
        ]);
        expect(recordLines(judged('03-ol7-arch-unknown.txt'))).toEqual([
          expect.stringContaining('uncertain architectureUnstated'),
        ]);
        expect(getAdviceKinds(judged('03-ol7-arch-unknown.txt'))).toContain('noArchitectures');
      });

      it('is uncertain about a package of an SBOM without an architecture', () => {
        const purl = 'pkg:rpm/ol/rsyslog@8.24.0-57.0.3.el7_9.3?distro=ol-7.9';
        const sbom = JSON.stringify({
          bomFormat: 'CycloneDX',
          specVersion: '1.6',
          components: [
            { type: 'operating-system', name: 'ol', version: '7.9' },
            { type: 'library', name: 'rsyslog', version: '8.24.0-57.0.3.el7_9.3', purl },
          ],
        });
        expect(recordLines(judgedPackages(sbom, [rebuilt()]))).toEqual([
          expect.stringContaining('uncertain architectureUnstated'),
        ]);
        const arm = sbom.replace('?distro', '?arch=aarch64&distro');
        expect(recordLines(judgedPackages(arm, [rebuilt()]))).toEqual([
          expect.stringContaining('missing'),
        ]);
      });

      it.each([
        ['centos-7.7/os-release', 'centos-7.7/rpm-qa.txt', 'aarch64', () => centos],
        ['centos-7.7/os-release', 'centos-7.7/rpm-qa.txt', 'ppc64le', () => centos],
        ['oracle-7.9/os-release', 'oracle-7.9/rpm-qa-qf.txt', 'aarch64', () => ol7],
        ['oracle-8.10/os-release', 'oracle-8.10/rpm-qa-qf.txt', 'aarch64', () => ol8],
      ])(
        'judges nothing of %s and %s as %s but what runs on any',
        (system, list, architecture, items) => {
          const text = `${inventory(system)}\n${inventory(list).replaceAll(/x86_64|i686/g, architecture)}`;
          const { reading, items: found, counts } = judgedPackages(text, items());
          const packages = reading.machine.packages;
          const compared = found.filter(
            ({ verdict }, index) =>
              verdict.kind !== 'notJudged' && packages[index]?.architecture !== 'noarch',
          );
          expect(compared).toEqual([]);
          expect(counts.notJudged).toBeGreaterThan(100);
        },
      );
    });

    describe('05: binary and source packages', () => {
      it.each([
        '05-libldb-old-dpkg-l.txt',
        '05-libldb-fixed-dpkg-l.txt',
        '05-no-upstream.cdx.json',
      ])('judges no binaries of %s whose source is unknown', (file) => {
        const judged = judgedPackages(ofBullseye(file), debian);
        expect(judged.counts.notJudged).toBe(judged.counts.read);
        expect(
          new Set(itemLines(judged).map((line) => line.split(' ').slice(1).join(' '))),
        ).toEqual(new Set(['notJudged sourceUnknown']));
        expect(getAdviceKinds(judged)).toContain('noSourcePackages');
      });

      it('judges no releases without advisories in the mirror', () => {
        expect(itemLines(judgedPackages(fieldCase('05-libldb-old-dpkg-l.txt'), debian))).toEqual([
          'libldb2 notJudged releaseNotInCatalogue',
        ]);
      });

      it.each([
        ['libldb2 2:2.2.3-2~deb11u1 amd64 ii  samba 2:4.13.5+dfsg-1', 'samba', 'DSA-5205-1'],
        ['libcurl4 7.74.0-1.3+b1 amd64 ii  curl 7.74.0-1.3+deb11u1', 'curl', 'DSA-5330-1'],
      ])('compares versions of the source of "%s"', (line, source, bulletin) => {
        const judged = judgedPackages(bullseye(line), debian);
        const fixed = String(findEntry(debian, `${bulletin}|`).row['pkgAndVersion']).split(' ')[1];
        const [name = '', , , , , installed = ''] = line.split(/ +/);
        expect(recordLines(judged)).toContain(
          `missing ${bulletin}|bullseye|${source}: ${name} ${installed} → ${fixed}`,
        );
        expect(itemLines(judged)).toEqual([`${name} missing`]);
      });

      it('judges no cloud kernels by the list of dpkg', () => {
        const line = 'ii  linux-image-5.10.0-8-cloud-amd64 5.10.46-4 amd64 Linux 5.10 for cloud';
        expect(itemLines(judgedPackages(bullseye(line), debian))).toEqual([
          'linux-image-5.10.0-8-cloud-amd64 notJudged sourceUnknown',
        ]);
      });
    });

    it.each([
      ['06-bpo-old.txt', ''],
      ['06-bpo-fixed.txt', ''],
      ['git 1:2.39.2-1~bpo11+1 amd64 ii  git 1:2.39.2-1~bpo11+1', 'git'],
      ['curl 7.88.1-9~bpo11+2 amd64 ii  curl 7.88.1-9~bpo11+2', 'curl'],
      ['nginx 1.24.0-1~bullseye amd64 ii  nginx 1.24.0-1~bullseye', 'nginx'],
    ])('06: does not judge the backport of %s', (text, name) => {
      const judged = judgedPackages(name === '' ? ofBullseye(text) : bullseye(text), debian);
      expect(itemLines(judged)).toEqual([expect.stringMatching(/ notJudged otherRepository$/)]);
      expect(recordLines(judged)).toEqual([]);
      expect(judged.unfixed).toEqual([]);
    });

    describe('13: builds of sibling releases', () => {
      it.each([
        [fieldCase('13-ol8-sudo.txt'), 'sudo', '1.9.5p2-10.el9_3'],
        [oracle('8.10', 'zlib-1.2.11-25.el8.x86_64'), 'zlib', '1.2.13-5.el9'],
        [oracle('8.10', 'bash-4.4.20-4.el8_6.x86_64'), 'bash', '9.9-1.el6_10'],
      ])(
        'never compares one with the installed build, whatever its number (%#)',
        (text, name, version) => {
          const other = withPackages(findEntry(ol8, 'ELSA-2019-0980'), [
            { name, version, architecture: 'x86_64' },
          ]);
          const own = ol8.filter(
            (item) => item.kind === 'entry' && String(item.row['binaryPkgName']).includes(name),
          );
          expect(own.length).toBeGreaterThan(0);
          const without = judgedPackages(text, own);
          const judged = judgedPackages(text, [...own, other]);
          expect(recordLines(judged)).toEqual(recordLines(without));
          expect(judged.counts).toEqual(without.counts);
        },
      );

      it('skips them in the real feed, which has one of release 6', () => {
        const remarks = ol8.flatMap((item) => (item.kind === 'remark' ? item.remark : []));
        expect(remarks).toEqual([expect.stringContaining('ELSA-2023-12143')]);
      });
    });

    it('14: reads CVEs of another type, and misses neither notice', async () => {
      const releases = [{ codename: 'noble', version: '24.04', support_tag: 'LTS' }];
      const notices = ['8706-1', '8705-1'].map((id) => ({ id: `USN-${id}`, releases }));
      const documents = [
        documentFrom(
          'https://ubuntu.com/security/notices.json?limit=20&offset=0&order=newest',
          JSON.stringify({ notices, offset: 0, total_results: 2 }),
        ),
        documentFrom(
          'https://usn.ubuntu.com/usn-db/database.json.bz2',
          fieldCase('14-usn-string-cves.json'),
        ),
      ];
      const items = await collect(ubuntuNoticePart.read({ documents, isComplete: true }));
      expect(items.filter(({ kind }) => kind === 'rejection')).toEqual([]);
      expect(recordLines(judgedPackages(fieldCase('14-noble-zlib.txt'), items))).toEqual([
        'missing USN-8705-1: jq 1.7.1-3build1 → 1.7.1-3ubuntu0.24.04.9',
        'missing USN-8706-1: zlib1g 1:1.3.dfsg-3.1ubuntu2.1 → 1:1.3.dfsg-3.1ubuntu2.9',
      ]);
    });

    it('17: gives each release its own date', async () => {
      const url = 'https://cefs.steve-meier.de/errata.latest.xml.bz2';
      const document = documentFrom(url, fieldCase('17-cefs-same-id.xml'));
      const items = await collect(
        findPart(centosFeed, 'errata').read({ documents: [document], isComplete: true }),
      );
      const days = items.flatMap((item) =>
        item.kind === 'entry'
          ? [[item.row['osVersion'], new Date(Number(item.row['releaseDate'])).toISOString()]]
          : [],
      );
      expect(days).toEqual([
        [['CentOS 5'], '2013-10-29T20:19:18.000Z'],
        [['CentOS 6'], '2013-11-02T08:01:00.000Z'],
      ]);
    });

    it('R2: judges no packages that 80 columns cut', () => {
      const judged = judgedPackages(ofBullseye('R2-dpkg-l-80-columns.txt'), debian);
      expect(itemLines(judged)).toEqual([
        'linux-image-6. notJudged cutColumns',
        'openssh-server notJudged cutColumns',
        'libwebp7 notJudged sourceUnknown',
      ]);
      expect(recordLines(judged)).toEqual([]);
      expect(getAdviceKinds(judged)).toContain('cutColumns');
    });

    it('R3: reads no removed package as installed, in any language', () => {
      const judged = judgedPackages(ofBullseye('R3-apt-list-fr-de.txt'), debian);
      expect(judged.items.map(({ name }) => name)).toEqual(['openssh-server', 'libwebp7', 'curl']);
      for (const state of ['residual-config', 'configurazione rimasta', 'остались файлы настроек'])
        expect(
          judgedPackages(bullseye(`sudo/now 1.9.5p2-2 amd64 [${state}]`), debian).counts.read,
        ).toBe(0);
    });
  });
});
