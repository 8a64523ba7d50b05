/** Foreign, retitled, half-typed and emptied documents of dpkg distributions. */

import { aptSuiteFrom, packagesFrom } from './testing/apt-suite-from.ts';
import { documentFrom } from './testing/document-from.ts';
import type { FixtureFiles } from './testing/fixture-files.ts';
import {
  type Case,
  edited,
  json,
  key,
  page,
  servedFrom,
  testForeignDocuments,
} from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import { pardusFiles, ubuntuFiles } from './testing/publications/deb-publications.ts';
import { publishings } from './testing/publications/stated-record.ts';

const [{ records }] = publishings as readonly [(typeof publishings)[number]];
const suite = (name: string, text: string, archive: string) =>
  aptSuiteFrom(
    { archive, suite: name, date: 'Tue, 03 Feb 2026 10:00:00 UTC', components: { main: text } },
    key,
  );
const stanza = (more: Readonly<Record<string, string>>) => ({
  Package: 'wick',
  Architecture: 'amd64',
  Description: 'A wick',
  ...more,
});

async function suiteCases(archive: string, name: string, other: string): Promise<Case[]> {
  const good = packagesFrom([stanza({ Version: '1.0' })]);
  const files = await suite(name, good, archive);
  const moved = Object.entries(await suite(other, good, archive)).map(([path, content]) => [
    path.replace(`/dists/${other}/`, `/dists/${name}/`),
    content,
  ]);
  const damaged = packagesFrom([stanza({ Version: '1.0' }), stanza({ Package: 'b' })]);
  return [
    ['good', servedFrom(files), [1]],
    ['foreign', edited(files, /InRelease$/, () => page), 'it is not a signed message'],
    [
      'retitled',
      servedFrom(Object.fromEntries(moved) as FixtureFiles),
      `it is of the suite ${other}, ${other}, not of ${name}`,
    ],
    [
      'half-typed',
      servedFrom(await suite(name, damaged, archive)),
      [1, 'b rejected: it has no Version'],
    ],
    ['emptied', servedFrom(await suite(name, '', archive)), [0]],
  ];
}

const lists = 'https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data';
const dsa =
  '[03 Feb 2026] DSA-9001-1 wick - security update\n\t{CVE-2031-20001}\n\t[bookworm] - wick 1.0-1\n';
const tracker = 'https://security-tracker.debian.org/tracker/data/json';
const vulnerability = { 'CVE-2031-20001': { releases: {} } };
const servedList = (text: string, tracked: unknown = { wick: vulnerability }): Served => ({
  [`${lists}/DSA/list`]: text,
  [tracker]: json(tracked),
});

const ubuntu = await ubuntuFiles(records, key);
const notices = /notices\.json/;
const pardus = await pardusFiles(records, key);
const signedOther = await key.sign(
  `Suite: yirmiuc\nCodename: yirmiuc\nSHA256:\n ${'0'.repeat(64)} 1 main/binary-amd64/Packages\n`,
);

const lastTracker = [documentFrom(tracker, json({ wick: vulnerability }))];

const dla = dsa.replaceAll('DSA-9001-1', 'DLA-9002-1');
const servedLts = (text: string): Served => ({
  [`${lists}/DLA/list`]: text,
  [tracker]: json({ wick: vulnerability }),
});
const releasesTable = 'https://debian.pages.debian.net/distro-info-data/debian.csv';
const release = (day: string) =>
  `version,codename,series,created,release\n12,Bookworm,bookworm,2021-08-14,${day}\n`;
const servedReleases = (text: string): Served => ({ ...servedList(dsa), [releasesTable]: text });
const servedCves = (value: unknown): Served => ({
  ...servedFrom(ubuntu),
  'https://ubuntu.com/security/cves.json?limit=20&offset=0&order=newest': json(
    typeof value === 'object' ? { total_results: 1, ...value } : value,
  ),
});

/** None of these cases publishes what completes the notices. */
const [noArchive, noDatabase] = [
  'the archive of all CVEs is not published',
  'only the notice database lists are missing: it is not published',
];

testForeignDocuments({
  "Ubuntu's notices": [
    'ubuntu',
    'notices',
    [
      ['good', servedFrom(ubuntu), [4, noArchive, noDatabase]],
      [
        'half-typed',
        edited(ubuntu, notices, (text) =>
          text.replace(/"releases":\[[^\]]*\]/, '"releases":"jammy"'),
        ),
        [3, noArchive, noDatabase, 'USN-9001-1 rejected: releases: '],
      ],
    ],
  ],
  "Ubuntu's suites": [
    'ubuntu',
    'jammy-security',
    await suiteCases('http://security.ubuntu.com/ubuntu', 'jammy-security', 'jammy-updates'),
  ],
  "Debian's list": [
    'debian',
    'DSA',
    [
      ['good', servedList(dsa), [1]],
      ['foreign', servedList(page), 'it contains no advisory'],
      [
        'retitled',
        servedList(dsa.replace('DSA-', 'DLA-')),
        'it lists DLA-9001-1, and is the list of DSA',
      ],
      [
        'half-typed',
        servedList(dsa.replace('wick 1.0-1', 'wick')),
        [0, 'line 3 cannot be understood', 'it fixes no package'],
      ],
      ['emptied', servedList(''), 'it contains no advisory'],
    ],
  ],
  "Debian's list of LTS": [
    'debian',
    'DLA',
    [
      ['good', servedLts(dla), [1]],
      ['foreign', servedLts(page), 'it contains no advisory'],
      ['retitled', servedLts(dsa), 'it lists DSA-9001-1, and is the list of DLA'],
      [
        'half-typed',
        servedLts(`${dla}${dla.replace('9002-1', '9003-1').replace('wick 1.0-1', 'wick')}`),
        [1, 'line 6 cannot be understood', 'it fixes no package'],
      ],
      ['emptied', servedLts(''), 'it contains no advisory'],
    ],
  ],
  "Debian's releases": [
    'debian',
    'DSA',
    [
      ['good', servedReleases(release('2023-06-10')), [1]],
      [
        'emptied',
        servedReleases(page),
        [1, 'it has no columns'],
        [documentFrom(releasesTable, release('2023-06-10'))],
      ],
    ],
  ],
  "Ubuntu's pages of CVEs": [
    'ubuntu',
    'notices',
    [
      [
        'good',
        servedCves({ cves: [{ id: 'CVE-2031-1001', priority: 'low' }] }),
        [4, noArchive, noDatabase],
      ],
      [
        'foreign',
        servedCves('page'),
        [4, noArchive, "Ubuntu's CVE priorities are missing", noDatabase],
      ],
      [
        'half-typed',
        servedCves({
          cves: [
            { id: 7, priority: 'low' },
            { id: 'CVE-2031-1001', priority: [] },
          ],
        }),
        [4, noArchive, noDatabase, '2 CVEs of the pages have no id or priority'],
      ],
      ['emptied', servedCves({ cves: [] }), [4, noArchive, noDatabase]],
    ],
  ],
  "Debian's tracker": [
    'debian',
    'DSA',
    [
      ['foreign', servedList(dsa, 'page'), [1, 'is out of place'], lastTracker],
      ['emptied', servedList(dsa, {}), [1, 'it names no vulnerability of a package'], lastTracker],
    ],
  ],
  Pardus: [
    'pardus',
    'guvenlik yirmiuc-deb',
    [
      ['good', servedFrom(pardus), [4]],
      [
        'retitled',
        edited(pardus, /InRelease$/, () => signedOther),
        'it is of the suite yirmiuc, yirmiuc, not of yirmiuc-deb',
      ],
    ],
  ],
});
