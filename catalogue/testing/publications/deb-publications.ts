/** Publications of vendors of deb packages: apt suites, Debian's lists and tracker, and Ubuntu's notices. */
import { aptSuiteFrom, packagesFrom } from '../apt-suite-from.ts';
import type { FixtureFiles } from '../fixture-files.ts';
import type { Signer } from '../signed-text.ts';
import { atPosition, getCve, type StatedRecord } from './stated-record.ts';

type Records = readonly StatedRecord[];

const stanzas = (records: Records) =>
  packagesFrom(
    records.map((record) => ({
      Package: `package${record.number}`,
      Version: record.version,
      Architecture: 'amd64',
      Priority: record.severity === 'Low' ? 'optional' : 'important',
      ...(record.text === null ? {} : { Section: record.text.replaceAll(/\W+/g, '-') }),
      Filename: `pool/main/p/package${record.number}_${record.version}_amd64.deb`,
      Size: '1000',
      SHA256: '1'.repeat(64),
      Description: record.title,
    })),
  );

/** The position selects a component. */
const suiteFrom = (archive: string, suite: string, records: Records, signer: Signer) =>
  aptSuiteFrom(
    {
      archive,
      suite,
      date: 'Tue, 03 Feb 2026 10:00:00 UTC',
      components: {
        main: stanzas(atPosition(records, 0)),
        universe: stanzas(atPosition(records, 1)),
      },
    },
    signer,
  );

const securityLists = 'salsa.debian.org/security-tracker-team/security-tracker/raw/master/data';

/** The product refuses a list without an advisory. */
const oldest = (list: string) =>
  `[01 Feb 2026] ${list}-9000-1 mantle - security update\n\t[bookworm] - mantle 1.0-1\n`;

/** The position selects DSA or DLA. */
export function debianFiles(records: Records): FixtureFiles {
  const lists = ['DSA', 'DLA'].map((list, position) => [
    `${securityLists}/${list}/list`,
    [
      ...atPosition(records, position).map(
        (record) =>
          `[03 Feb 2026] ${list}-${9000 + record.number}-1 package${record.number} - ${record.title}\n\t{${getCve(record)}}\n\t[bookworm] - package${record.number} ${record.version}\n`,
      ),
      oldest(list),
    ].join(''),
  ]);
  const urgencies = records.map((record) => [
    `package${record.number}`,
    {
      [getCve(record)]: {
        description: record.text ?? '',
        releases: {
          bookworm: {
            status: 'resolved',
            fixed_version: record.version,
            urgency:
              record.text === null
                ? 'not yet assigned'
                : record.severity === 'Low'
                  ? 'low'
                  : 'high',
          },
        },
      },
    },
  ]);
  return {
    ...Object.fromEntries(lists),
    'security-tracker.debian.org/tracker/data/json': JSON.stringify(Object.fromEntries(urgencies)),
  };
}

/** Some of the packages include Debian's fixes. */
export async function pardusFiles(records: Records, signer: Signer): Promise<FixtureFiles> {
  return {
    ...debianFiles(records),
    'depo.pardus.org.tr/dists.json': JSON.stringify({
      pardus: [{ name: 'yirmiuc', version: 23, sources: '' }],
    }),
    ...(await suiteFrom('https://depo.pardus.org.tr/guvenlik', 'yirmiuc-deb', records, signer)),
  };
}

/** Notices and packages agree; the API counts the notices, and has an empty page behind the last one. */
export async function ubuntuFiles(records: Records, signer: Signer): Promise<FixtureFiles> {
  const notices = records.map((record) => ({
    id: `USN-${9000 + record.number}-1`,
    type: 'USN',
    title: record.title,
    summary: record.text,
    description: record.text,
    instructions: 'A standard system update.',
    published: '2026-02-03T09:08:07.00099',
    is_hidden: false,
    references: [],
    cves_ids: [getCve(record)],
    related_notices: [],
    releases: [
      record.position === 0
        ? { codename: 'jammy', version: '22.04', support_tag: 'LTS' }
        : { codename: 'noble', version: '24.04', support_tag: 'LTS' },
    ],
    release_packages: {
      [record.position === 0 ? 'jammy' : 'noble']: [
        {
          name: `package${record.number}`,
          version: record.version,
          is_source: false,
          is_visible: true,
          pocket: 'security',
        },
      ],
    },
  }));
  const cves = records.map((record) => ({
    id: getCve(record),
    priority: record.severity === 'Low' ? 'low' : 'high',
    published: '2026-02-01T00:00:00',
  }));
  const page = (name: 'notices' | 'cves', values: readonly object[]) => [
    `ubuntu.com/security/${name}.json@limit=20&offset=0&order=newest`,
    JSON.stringify({ [name]: values, limit: 20, offset: 0, total_results: values.length }),
  ];
  return {
    ...Object.fromEntries([page('notices', notices), page('cves', cves)]),
    ...(await suiteFrom('http://security.ubuntu.com/ubuntu', 'jammy-security', records, signer)),
  };
}
