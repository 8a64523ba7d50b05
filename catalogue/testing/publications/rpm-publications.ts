/** Publications of vendors of RPM packages: repositories with an updateinfo, AlmaLinux's errata, Apollo's pages and CEFS. */
import { createHash } from 'node:crypto';
import { pathInMirror } from '../../parsers/mirror-layout.ts';
import type { FixtureFiles } from '../fixture-files.ts';
import { rpmRepositoryFrom, updateinfoFrom } from '../rpm-repository-from.ts';
import { atPosition, getCve, type StatedRecord } from './stated-record.ts';

type Records = readonly StatedRecord[];

/** @param tag the distribution release's, such as el8. */
const updateinfo = (records: Records, tag: string, formatId: (number: number) => string) =>
  updateinfoFrom(
    records.map((record) => ({
      id: formatId(record.number),
      type: 'security',
      title: record.title,
      issued: '2026-02-03 10:00:00',
      severity: record.severity,
      ...(record.text === null ? {} : { description: record.text }),
      references: [
        { id: getCve(record), type: 'cve', href: `https://cve.example/${getCve(record)}` },
      ],
      packages: [{ name: `package${record.number}`, version: record.version, release: `1.${tag}` }],
    })),
  );

export const opensuseFiles = (records: Records): FixtureFiles =>
  Object.assign(
    {},
    ...['oss', 'sle'].map((name, position) =>
      rpmRepositoryFrom(
        `https://download.opensuse.org/update/leap/15.6/${name}/`,
        updateinfo(atPosition(records, position), '1', (number) => `openSUSE-2026-${number}`),
      ),
    ),
  );

export const oraclelinuxFiles = (records: Records): FixtureFiles =>
  Object.assign(
    {},
    ...['8/baseos/latest', '9/appstream'].map((name, position) =>
      rpmRepositoryFrom(
        `https://yum.oracle.com/repo/OracleLinux/OL${name}/x86_64/`,
        updateinfo(
          atPosition(records, position),
          `el${8 + position}`,
          (number) => `ELSA-2026-${1000 + number}`,
        ),
      ),
    ),
  );

/** Each publication is a snapshot with its own address. */
export function amazonlinuxFiles(records: Records): FixtureFiles {
  const text = updateinfo(records, 'amzn2023', (number) => `ALAS2023-2026-${100 + number}`);
  const core = 'https://cdn.amazonlinux.com/al2023/core/';
  const snapshot = `${core}guids/${createHash('sha256').update(text).digest('hex')}/x86_64/`;
  return {
    [pathInMirror(`${core}mirrors/latest/x86_64/mirror.list`)]: `${snapshot}\n`,
    ...rpmRepositoryFrom(snapshot, text),
  };
}

export const almalinuxFiles = (records: Records): FixtureFiles =>
  Object.fromEntries(
    ['8', '9'].map((release, position) => [
      `errata.almalinux.org/${release}/errata.full.json`,
      JSON.stringify({
        schema_version: '1.0',
        data: atPosition(records, position).map((record) => ({
          id: `ALSA-2026:${1000 + record.number}`,
          issued_date: 1_770_000_000,
          updated_date: 1_770_000_000,
          severity: record.severity,
          title: record.title,
          description: record.text,
          type: 'security',
          packages: [
            {
              name: `package${record.number}`,
              epoch: '0',
              version: record.version,
              release: `1.el${release}`,
              arch: 'x86_64',
              checksum: '1'.repeat(64),
              checksum_type: 'sha256',
              reboot_suggested: 0,
            },
          ],
          modules: [],
          references: [{ id: getCve(record), type: 'cve', href: 'https://cve.example/' }],
        })),
      }),
    ]),
  );

/** The second page contains the records in the second position. */
export const rockylinuxFiles = (records: Records): FixtureFiles =>
  Object.fromEntries(
    [0, 1].map((position) => [
      `apollo.build.resf.org/api/v3/advisories/index.json@page=${position + 1}&size=100`,
      JSON.stringify({
        advisories: atPosition(records, position).map((record) => ({
          id: record.number,
          published_at: '2026-02-03T07:00:00+00:00',
          updated_at: '2026-02-03T07:00:00+00:00',
          name: `RLSA-2026:${1000 + record.number}`,
          synopsis: record.title,
          description: record.text,
          kind: 'Security',
          severity: record.severity,
          affected_products: [
            {
              variant: 'Rocky Linux',
              name: 'Rocky Linux 8 x86_64',
              major_version: 8,
              arch: 'x86_64',
            },
          ],
          cves: [{ cve: getCve(record), cvss3_base_score: '7.5' }],
          fixes: [],
          packages: [
            {
              nevra: `package${record.number}-0:${record.version}-1.el8.x86_64.rpm`,
              checksum: '1'.repeat(64),
              product_name: 'Rocky Linux 8 x86_64',
            },
          ],
        })),
        total: records.length,
        page: position + 1,
        size: 100,
      }),
    ]),
  );

/** CEFS also serves an uncompressed text under the name of a compressed one. The position selects the release. */
export function centosFiles(records: Records): FixtureFiles {
  const errata = records.map((record) => {
    const release = 6 + record.position;
    return `  <CESA-2026--${1000 + record.number} description="${record.text ?? ''}" issue_date="2026-02-03 01:37:20" references="https://access.redhat.com/errata/RHSA-2026-${1000 + record.number}.html" severity="${record.severity}" synopsis="${record.title}" type="Security Advisory">
    <os_release>${release}</os_release>
    <packages>package${record.number}-${record.version}-1.el${release}.x86_64.rpm</packages>
  </CESA-2026--${1000 + record.number}>\n`;
  });
  const text = `<?xml version='1.0' standalone='yes'?>\n<opt>\n${errata.join('')}</opt>\n`;
  const sum = createHash('sha1').update(text).digest('hex');
  return {
    'cefs.steve-meier.de/errata.latest.xml.bz2': text,
    'cefs.steve-meier.de/errata.latest.sha1': `${sum}  errata.latest.xml\n${sum}  errata.latest.xml.bz2\n`,
  };
}
