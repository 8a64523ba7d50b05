/** Each feed over a document that is another, calls itself another, has fields of another type, or is empty. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AnyPart, Document } from './definition/feed.ts';
import { feeds } from './feeds.ts';
import { BrokenDocument } from './parsers/document-of.ts';
import type { SourceKey } from './sources.ts';
import { aptSuiteFrom, packagesFrom } from './testing/apt-suite-from.ts';
import { documentFrom } from './testing/document-from.ts';
import type { FixtureFiles } from './testing/fixture-files.ts';
import { memoryPublication, type Served } from './testing/memory-publication.ts';
import { fullRecord, nvdFile, served as servedNvd } from './testing/nvd-files.ts';
import { pardusFiles, ubuntuFiles } from './testing/publications/deb-publications.ts';
import { macosFiles, thirdpartyFiles } from './testing/publications/other-publications.ts';
import {
  almalinuxFiles,
  centosFiles,
  rockylinuxFiles,
} from './testing/publications/rpm-publications.ts';
import { publishings } from './testing/publications/stated-record.ts';
import { rpmRepositoryFrom } from './testing/rpm-repository-from.ts';
import { signer } from './testing/signed-text.ts';
import { guideMonth } from './vendors/windows/testing/guide-month.ts';

const [{ records }] = publishings as readonly [(typeof publishings)[number]];
const key = await signer();
const now = Date.UTC(2026, 1, 20);

/** Under both schemes, for archives are asked without encryption. */
const servedFrom = (files: FixtureFiles): Served =>
  Object.fromEntries(
    Object.entries(files).flatMap(([path, content]) =>
      ['http', 'https'].map((scheme) => [
        `${scheme}://${path.replace('index.json@', '@').replace('@', '?')}`,
        content,
      ]),
    ),
  );

/** The text of the files whose paths match is edited. */
const edited = (files: FixtureFiles, path: RegExp, edit: (text: string) => string): Served =>
  servedFrom(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        path.test(name) ? edit(String(content)) : content,
      ]),
    ),
  );

async function outcomeOf(part: AnyPart, served: Served, last: readonly Document[] = []) {
  const publication = { ...memoryPublication(served, { now, last }), trustedKeys: [key.publicKey] };
  const lines: string[] = [];
  let entries = 0;
  try {
    const contents = await part.contents(publication);
    const readings = [...(contents.remarks ?? [])];
    for await (const item of part.read(contents)) {
      if (item.kind === 'remark' || item.kind === 'rejection') readings.push(item);
      else if (item.kind !== 'unfixed') entries += 1;
    }
    for (const reading of readings)
      lines.push(
        reading.kind === 'remark'
          ? reading.remark
          : `${reading.rejected} rejected: ${reading.reason}`,
      );
  } catch (error) {
    if (!(error instanceof BrokenDocument)) throw error;
    return { refused: error.problem };
  }
  return { entries, lines: [...publication.copiesRead, ...lines] };
}

type Kind = 'good' | 'foreign' | 'retitled' | 'half-typed' | 'emptied';
/** What a document is, the documents served, what is said (why it is refused; or the number of entries and what is said of the others), and the last copy. */
type Case = readonly [
  document: Kind,
  served: Served,
  says: string | readonly (number | string)[],
  last?: readonly Document[],
];

const page = '<html><body>Service Unavailable</body></html>';
const json = (value: unknown) => JSON.stringify(value);
const editJson = (edit: (value: object) => unknown) => (text: string) =>
  json(edit(JSON.parse(text) as object));

const month = (kb = '5040001', id = '2026-Jan') =>
  guideMonth({
    id,
    products: { '11923': 'Windows Server 2022' },
    fixes: [
      { kb, products: ['11923'], build: '10.0.20348.9001' },
      { kb: '5040002', products: ['11923'], build: '10.0.20348.9002' },
    ],
  }).text();
const monthUrl = 'https://api.msrc.microsoft.com/cvrf/v3.0/cvrf/2026-Jan';
const lastMonth = documentFrom(monthUrl, await month());
const servedMonth = (text: string): Served => ({
  'https://api.msrc.microsoft.com/cvrf/v3.0/updates': json({ value: [{ ID: '2026-Jan' }] }),
  [monthUrl]: text,
});
const offlineScan = 'what the offline scan file says of KBs is missing';

const update = (id: string, release: string, ...builds: readonly string[]) =>
  `<update><id>${id}</id><release>${release}</release><pkglist><collection>${builds.map((build) => `<package name="wick" version="1" release="${build}" arch="x86_64"/>`).join('')}</collection></pkglist></update>`;

/** Advisories of a repository; the tag is that of its builds, and of those of another release where builds name one. */
function repositoryCases(
  address: string,
  [release, tag]: readonly [string, string],
  [otherRelease, otherTag]: readonly [string, string],
  besides: Served = {},
): Case[] {
  const serving = (text: string): Served => ({
    ...besides,
    ...servedFrom(rpmRepositoryFrom(address, text)),
  });
  const updates = (...texts: readonly string[]) => serving(`<updates>${texts.join('')}</updates>`);
  const own = update('A-1', release, `1.${tag}`);
  const foreignBuild = update('A-2', release, `1.${tag}`, `1.${otherTag}`);
  return [
    ['good', updates(own, update('A-2', release, `1.${tag}`)), [2]],
    ['foreign', serving(page), 'its outermost element is <html>'],
    [
      'retitled',
      updates(update('A-1', otherRelease, `1.${tag}`)),
      `all of its advisories are of ${otherRelease}, not of ${release}`,
    ],
    [
      'half-typed',
      updates(own, update('A-2', release), update('A-3', otherRelease, '1')),
      [1, 'A-2 rejected: it names no package', `A-3 rejected: it is of ${otherRelease}`],
    ],
    ...(otherTag === ''
      ? []
      : [
          [
            'half-typed',
            updates(own, foreignBuild),
            [2, `A-2: "wick-1-1.${otherTag}" is not built for ${tag}; left out`],
          ] as const,
        ]),
    ['emptied', updates(), [0]],
  ];
}

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
    ['foreign', edited(files, /InRelease$/, () => page), 'it is no signed message'],
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
const cefs = centosFiles(records);
const cefsCase = (edit: (text: string) => string): Served => {
  const text = edit(String(cefs['cefs.steve-meier.de/errata.latest.xml.bz2']));
  const sum = createHash('sha1').update(text).digest('hex');
  return servedFrom({
    'cefs.steve-meier.de/errata.latest.xml.bz2': text,
    'cefs.steve-meier.de/errata.latest.sha1': `${sum}  errata.latest.xml\n${sum}  errata.latest.xml.bz2\n`,
  });
};
const alma = almalinuxFiles(records);
const alma8 = /\/8\/errata/;
const rocky = rockylinuxFiles(records);
const rockyPage = /page=1&/;
const winget = thirdpartyFiles(records);
const pardus = await pardusFiles(records, key);
const pardusSuite = await suiteCases(
  'http://depo.pardus.org.tr/guvenlik',
  'yirmiuc-deb',
  'yirmiuc',
);
const signedOther = await key.sign(
  `Suite: yirmiuc\nCodename: yirmiuc\nSHA256:\n ${'0'.repeat(64)} 1 main/binary-amd64/Packages\n`,
);
const macos = macosFiles(records);
const withoutSecurityPages = ["SOFA's list of releases is not published", 'CVEs are those'];

const amazon = 'https://cdn.amazonlinux.com/al2023/core/';
const kevRecord = { cveID: 'CVE-2031-1001', dateAdded: '2026-02-01' };
const kevUrl =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const kev = (more: object): Served => ({
  [kevUrl]: json({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    dateReleased: '2026-02-03T00:00:00Z',
    count: 1,
    vulnerabilities: [kevRecord],
    ...more,
  }),
});
const epssUrl = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz';
const epss = (...lines: readonly string[]): Served => ({
  [epssUrl]: ['#model_version:v1,score_date:2026-02-03T12:00:00Z', ...lines, ''].join('\n'),
});
const columns = 'cve,epss,percentile';

/** The first list of packages is another value. */
const withPackages = (value: string) => (text: string) =>
  text.replace(/"packages":\[[^\]]*\]/, `"packages":${value}`);
const notice = (more: object) =>
  edited(
    ubuntu,
    notices,
    editJson((value) => ({ ...value, ...more })),
  );
const apollo = (more: object) =>
  edited(
    rocky,
    rockyPage,
    editJson((value) => ({ ...value, ...more })),
  );
const lastTracker = [documentFrom(tracker, json({ wick: vulnerability }))];
const sevenZip = (edit: (text: string) => string) => edited(winget, /7zip\.installer/, edit);
const noSource = 'None of their sources';
const error = () => '{"error":1}';
const nvd = (...written: readonly unknown[]) => servedNvd('2026', nvdFile(written));
const nvdRecord = { ...fullRecord, id: 'CVE-2026-1001' };

const cases: Readonly<Record<string, readonly [SourceKey, string, readonly Case[]]>> = {
  "Microsoft's months": [
    'wsus',
    'msrc',
    [
      ['good', servedMonth(await month()), [2, offlineScan]],
      [
        'foreign',
        servedMonth(page),
        [2, 'its outermost element is <html>', offlineScan],
        [lastMonth],
      ],
      [
        'retitled',
        servedMonth(await month('5040001', '2026-Feb')),
        [2, 'it is 2026-Feb, not 2026-Jan', offlineScan],
        [lastMonth],
      ],
      [
        'half-typed',
        servedMonth(await month('50400')),
        [1, '50400 rejected: The number of a KB has six or seven digits', offlineScan],
        [lastMonth],
      ],
      [
        'emptied',
        servedMonth(
          (await month()).replaceAll(/<vuln:Vulnerability>[^]*<\/vuln:Vulnerability>/g, ''),
        ),
        [2, 'there is no vulnerability in it', offlineScan],
        [lastMonth],
      ],
    ],
  ],
  "Ubuntu's notices": [
    'ubuntu',
    'notices',
    [
      ['good', servedFrom(ubuntu), [4]],
      ['foreign', edited(ubuntu, notices, error), 'it is no page of notices'],
      ['retitled', notice({ offset: 20 }), 'it is the page at 20, not the one at 0'],
      [
        'half-typed',
        edited(ubuntu, notices, (text) =>
          text.replace(/"releases":\[[^\]]*\]/, '"releases":"jammy"'),
        ),
        [3, 'USN-9001-1 rejected: releases: '],
      ],
      [
        'emptied',
        notice({ notices: [] }),
        [0, 'the pages do not hold as many notices as the vendor counts'],
      ],
    ],
  ],
  "Ubuntu's suites": [
    'ubuntu',
    'jammy-security',
    await suiteCases('http://security.ubuntu.com/ubuntu', 'jammy-security', 'jammy-updates'),
  ],
  CEFS: [
    'centOs',
    'errata',
    [
      ['good', cefsCase((text) => text), [4]],
      ['foreign', cefsCase(() => page), 'its outermost element is <html>'],
      [
        'retitled',
        cefsCase((text) => text.replaceAll('CESA-2026--1001', 'ELSA-2026--1001')),
        [3, 'ELSA-2026--1001 rejected: it is not named by the id of an erratum'],
      ],
      [
        'half-typed',
        cefsCase((text) => text.replace('-1.el6.', '-1.el9.')),
        [4, 'is not built for el6; left out'],
      ],
      ['emptied', cefsCase(() => '<opt></opt>'), [0]],
    ],
  ],
  "Debian's list": [
    'debian',
    'DSA',
    [
      ['good', servedList(dsa), [1]],
      ['foreign', servedList(page), 'there is no advisory in it'],
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
      ['emptied', servedList(''), 'there is no advisory in it'],
    ],
  ],
  "Debian's tracker": [
    'debian',
    'DSA',
    [
      ['foreign', servedList(dsa, 'page'), [1, 'is out of place'], lastTracker],
      [
        'half-typed',
        servedList(dsa, { wick: vulnerability, lamp: 'none', oil: { 'CVE-2031-1': 7 } }),
        [1, 'that have another form were left out: 1 (for example lamp)'],
      ],
      [
        'half-typed',
        servedList(dsa, { wick: { 'CVE-2031-20001': { releases: 'bookworm' } } }),
        [1, 'that have another form were left out: 1 (for example wick CVE-2031-20001)'],
      ],
      ['emptied', servedList(dsa, {}), [1, 'it names no vulnerability of a package'], lastTracker],
    ],
  ],
  openSUSE: [
    'opensuse',
    '15.6',
    repositoryCases(
      'https://download.opensuse.org/update/leap/15.6/oss/',
      ['openSUSE Leap 15.6', '1'],
      ['openSUSE Leap 15.5', ''],
    ),
  ],
  'Oracle Linux': [
    'oracleLinux',
    '8',
    repositoryCases(
      'https://yum.oracle.com/repo/OracleLinux/OL8/baseos/latest/x86_64/',
      ['Oracle Linux 8', 'el8'],
      ['Oracle Linux 9', 'el9_3'],
    ),
  ],
  'Amazon Linux': [
    'amazonLinux',
    '2023',
    repositoryCases(
      `${amazon}guids/1/x86_64/`,
      ['Amazon Linux 2023', 'amzn2023'],
      ['Amazon Linux 2', 'amzn2'],
      { [`${amazon}mirrors/latest/x86_64/mirror.list`]: `${amazon}guids/1/x86_64/\n` },
    ),
  ],
  AlmaLinux: [
    'almaLinux',
    '8',
    [
      ['good', servedFrom(alma), [3]],
      ['foreign', edited(alma, alma8, error), 'it has no array "data"'],
      [
        'retitled',
        edited(alma, alma8, (text) => text.replaceAll('1.el8', '1.el9')),
        'all of its packages are built for el9, not for el8',
      ],
      [
        'half-typed',
        edited(alma, alma8, withPackages('"none"')),
        [2, 'ALSA-2026:1001 rejected: packages: '],
      ],
      [
        'emptied',
        edited(alma, alma8, withPackages('[]')),
        [2, 'ALSA-2026:1001 rejected: it names no package'],
      ],
    ],
  ],
  Apollo: [
    'rockyLinux',
    'advisories',
    [
      ['good', servedFrom(rocky), [4]],
      ['foreign', edited(rocky, rockyPage, error), 'it is no page of advisories'],
      ['retitled', apollo({ page: 2 }), 'it is page 2, not page 1'],
      [
        'half-typed',
        edited(rocky, rockyPage, withPackages('"none"')),
        [3, 'RLSA-2026:1001 rejected: packages: '],
      ],
      [
        'emptied',
        apollo({ advisories: [] }),
        [0, 'the pages do not hold as many advisories as Apollo counts'],
      ],
    ],
  ],
  "winget's manifests": [
    'thirdParty',
    'compression',
    [
      ['good', servedFrom(winget), [2, noSource]],
      ['foreign', sevenZip(() => page), [1, '7zip.7zip rejected: ', noSource]],
      [
        'retitled',
        sevenZip((text) => text.replace('7zip.7zip', 'Other.7zip')),
        [1, '7zip.7zip rejected: it is of Other.7zip', noSource],
      ],
      [
        'half-typed',
        sevenZip((text) => text.replace(/Installers:\n[^]*Manifest/, 'Installers: none\nManifest')),
        [1, '7zip.7zip rejected: Installers: ', noSource],
      ],
      ['emptied', sevenZip(() => ''), [1, '7zip.7zip rejected: ', noSource]],
    ],
  ],
  Pardus: [
    'pardus',
    'guvenlik yirmiuc-deb',
    [
      ['good', servedFrom(pardus), [4]],
      ['foreign', edited(pardus, /InRelease$/, () => page), 'it is no signed message'],
      [
        'retitled',
        edited(pardus, /InRelease$/, () => signedOther),
        'it is of the suite yirmiuc, yirmiuc, not of yirmiuc-deb',
      ],
      ...pardusSuite.filter(([document]) => ['half-typed', 'emptied'].includes(document)),
    ],
  ],
  "Apple's catalogues": [
    'mac',
    'software',
    [
      ['good', servedFrom(macos), [4, ...withoutSecurityPages]],
      ['foreign', edited(macos, /index-26/, () => page), 'its outermost element is <html>'],
      [
        'half-typed',
        edited(macos, /index-26/, (text) =>
          text.replace(/<array>[^]*?<\/array>/, '<string>none</string>'),
        ),
        [3, ...withoutSecurityPages, '901-00001 rejected: Packages: '],
      ],
      [
        'emptied',
        edited(macos, /index-26/, (text) =>
          text.replace(
            /<key>Products<\/key>\s*<dict>[^]*<\/dict>\s*<\/dict>\s*<\/plist>/,
            '<key>Products</key><dict></dict></dict></plist>',
          ),
        ),
        'there is no product in it',
      ],
    ],
  ],
  'CISA KEV': [
    'kev',
    'kev',
    [
      ['good', kev({}), [1]],
      ['foreign', { [kevUrl]: page }, 'it is not valid JSON'],
      ['retitled', kev({ title: 'Lantern catalogue' }), 'it is "Lantern catalogue", not'],
      ['half-typed', kev({ count: 2 }), 'its count of 2 differs'],
      [
        'half-typed',
        kev({ vulnerabilities: [{ ...kevRecord, dateAdded: 7 }] }),
        [0, 'CVE-2031-1001 rejected: its dateAdded 7 is not a date'],
      ],
      ['emptied', kev({ count: 0, vulnerabilities: [] }), 'there is no vulnerability in it'],
    ],
  ],
  EPSS: [
    'epss',
    'epss',
    [
      ['good', epss(columns, 'CVE-2031-1001,0.5,0.5'), [1]],
      ['foreign', { [epssUrl]: page }, 'it has no columns "cve" and "epss"'],
      ['retitled', epss('cve,cvss', 'CVE-2031-1001,5'), 'it has no columns'],
      [
        'half-typed',
        epss(columns, 'CVE-2031-1001,0.5,0.5', 'CVE-2031-1002,high,0.5'),
        [1, 'line 4 rejected: the score of CVE-2031-1002, "high", is not a number'],
      ],
      ['emptied', epss(columns), 'there is no score in it'],
    ],
  ],
  NVD: [
    'cvss',
    '2026',
    [
      ['good', nvd(nvdRecord), [1]],
      ['foreign', servedNvd('2026', page), 'it is not valid JSON'],
      [
        'retitled',
        nvd({ ...fullRecord, id: 'CVE-2025-1001' }),
        'its CVEs are of 2025, not of 2026',
      ],
      [
        'half-typed',
        nvd({ ...nvdRecord, metrics: { cvssMetricV31: 'high' } }, { id: 7 }),
        [1, 'record 2 rejected: its id 7 is no CVE id', 'scores that are not numbers from 0 to 10'],
      ],
      ['emptied', nvd(), [0, 'there is no record in']],
    ],
  ],
};

const containing = (text: string): unknown => expect.stringContaining(text);

function expectedOutcome(says: Case[2]): unknown {
  if (typeof says === 'string') return { refused: containing(says) };
  const [entries, ...lines] = says;
  return { entries, lines: lines.map((line) => containing(String(line))) };
}

const tested = Object.entries(cases).flatMap(([name, [source, part, ofFeed]]) =>
  ofFeed.map((given) => ({ name, source, part, document: given[0], given })),
);

test.each(tested)(
  'reads $name when a document is $document',
  async ({ source, part, given: [, served, says, last] }) => {
    const found = feeds[source]?.parts.find((candidate) => candidate.key === part);
    if (found === undefined) throw new Error(`There is no part ${part} of ${source}`);
    expect(await outcomeOf(found, served, last)).toEqual(expectedOutcome(says));
  },
);
