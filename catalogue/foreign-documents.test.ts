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

interface Case {
  readonly document: 'good' | 'foreign' | 'retitled' | 'half-typed' | 'emptied';
  readonly served: Served | Promise<Served>;
  readonly last?: readonly Document[];
  /** Why the document is refused; or the number of entries and what is said of the others. */
  readonly says: string | readonly [entries: number, ...lines: readonly string[]];
}

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

/** Two advisories of a repository, the second as given. */
function repositoryCases(
  address: string,
  {
    release,
    tag,
    otherRelease,
    otherTag,
  }: Record<'release' | 'tag' | 'otherRelease' | 'otherTag', string>,
  besides: Served = {},
): Case[] {
  const served = (...updates: readonly string[]): Served => ({
    ...besides,
    ...servedFrom(rpmRepositoryFrom(address, `<updates>${updates.join('')}</updates>`)),
  });
  const own = update('A-1', release, `1.${tag}`);
  const hasTag = otherTag !== '';
  return [
    { document: 'good', served: served(own, update('A-2', release, `1.${tag}`)), says: [2] },
    {
      document: 'foreign',
      served: { ...besides, ...servedFrom(rpmRepositoryFrom(address, page)) },
      says: 'its outermost element is <html>',
    },
    {
      document: 'retitled',
      served: served(update('A-1', otherRelease, `1.${tag}`)),
      says: `all of its advisories are of ${otherRelease}, not of ${release}`,
    },
    {
      document: 'half-typed',
      served: served(own, update('A-2', release), update('A-3', otherRelease, '1')),
      says: [1, 'A-2 rejected: it names no package', `A-3 rejected: it is of ${otherRelease}`],
    },
    ...(hasTag
      ? [
          {
            document: 'half-typed' as const,
            served: served(own, update('A-2', release, `1.${tag}`, `1.${otherTag}`)),
            says: [2, `A-2: "wick-1-1.${otherTag}" is not built for ${tag}; left out`] as const,
          },
        ]
      : []),
    { document: 'emptied', served: served(), says: [0] },
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
  const moved = Object.fromEntries(
    Object.entries(await suite(other, good, archive)).map(([path, content]) => [
      path.replace(`/dists/${other}/`, `/dists/${name}/`),
      content,
    ]),
  );
  return [
    { document: 'good', served: servedFrom(await suite(name, good, archive)), says: [1] },
    {
      document: 'foreign',
      served: edited(await suite(name, good, archive), /InRelease$/, () => page),
      says: 'it is no signed message',
    },
    {
      document: 'retitled',
      served: servedFrom(moved),
      says: `it is of the suite ${other}, ${other}, not of ${name}`,
    },
    {
      document: 'half-typed',
      served: servedFrom(
        await suite(
          name,
          packagesFrom([stanza({ Version: '1.0' }), stanza({ Package: 'b' })]),
          archive,
        ),
      ),
      says: [1, 'b rejected: it has no Version'],
    },
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
const signedOther = await key.sign(
  `Suite: yirmiuc\nCodename: yirmiuc\nSHA256:\n ${'0'.repeat(64)} 1 main/binary-amd64/Packages\n`,
);
const macos = macosFiles(records);
const withoutSecurityPages = ["SOFA's list of releases is not published", 'CVEs are those'];

const kevUrl =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const kev = (more: object): Served => ({
  [kevUrl]: json({
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    dateReleased: '2026-02-03T00:00:00Z',
    count: 1,
    vulnerabilities: [{ cveID: 'CVE-2031-1001', dateAdded: '2026-02-01' }],
    ...more,
  }),
});
const epssUrl = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz';
const epss = (...lines: readonly string[]): Served => ({
  [epssUrl]: ['#model_version:v1,score_date:2026-02-03T12:00:00Z', ...lines, ''].join('\n'),
});
const columns = 'cve,epss,percentile';

const cases: Readonly<Record<string, readonly [SourceKey, string, readonly Case[]]>> = {
  "Microsoft's months": [
    'wsus',
    'msrc',
    [
      { document: 'good', served: servedMonth(await month()), says: [2, offlineScan] },
      {
        document: 'foreign',
        served: servedMonth(page),
        last: [lastMonth],
        says: [2, 'its outermost element is <html>', offlineScan],
      },
      {
        document: 'retitled',
        served: servedMonth(await month('5040001', '2026-Feb')),
        last: [lastMonth],
        says: [2, 'it is 2026-Feb, not 2026-Jan', offlineScan],
      },
      {
        document: 'half-typed',
        served: servedMonth(await month('50400')),
        last: [lastMonth],
        says: [1, '50400 rejected: The number of a KB has six or seven digits', offlineScan],
      },
      {
        document: 'emptied',
        served: servedMonth(
          (await month()).replaceAll(/<vuln:Vulnerability>[^]*<\/vuln:Vulnerability>/g, ''),
        ),
        last: [lastMonth],
        says: [2, 'there is no vulnerability in it', offlineScan],
      },
    ],
  ],
  "Ubuntu's notices": [
    'ubuntu',
    'notices',
    [
      { document: 'good', served: servedFrom(ubuntu), says: [4] },
      {
        document: 'foreign',
        served: edited(ubuntu, notices, () => '{"error":1}'),
        says: 'it is no page of notices',
      },
      {
        document: 'retitled',
        served: edited(
          ubuntu,
          notices,
          editJson((value) => ({ ...value, offset: 20 })),
        ),
        says: 'it is the page at 20, not the one at 0',
      },
      {
        document: 'half-typed',
        served: edited(ubuntu, notices, (text) =>
          text.replace(/"releases":\[[^\]]*\]/, '"releases":"jammy"'),
        ),
        says: [3, 'USN-9001-1 rejected: releases: '],
      },
      {
        document: 'emptied',
        served: edited(
          ubuntu,
          notices,
          editJson((value) => ({ ...value, notices: [] })),
        ),
        says: [0, 'the pages do not hold as many notices as the vendor counts'],
      },
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
      { document: 'good', served: cefsCase((text) => text), says: [4] },
      {
        document: 'foreign',
        served: cefsCase(() => page),
        says: 'its outermost element is <html>',
      },
      {
        document: 'retitled',
        served: cefsCase((text) => text.replaceAll('CESA-2026--1001', 'ELSA-2026--1001')),
        says: [3, 'ELSA-2026--1001 rejected: it is not named by the id of an erratum'],
      },
      {
        document: 'half-typed',
        served: cefsCase((text) => text.replace('-1.el6.', '-1.el9.')),
        says: [4, 'is not built for el6; left out'],
      },
      { document: 'emptied', served: cefsCase(() => '<opt></opt>'), says: [0] },
    ],
  ],
  "Debian's list": [
    'debian',
    'DSA',
    [
      { document: 'good', served: servedList(dsa), says: [1] },
      { document: 'foreign', served: servedList(page), says: 'there is no advisory in it' },
      {
        document: 'retitled',
        served: servedList(dsa.replace('DSA-', 'DLA-')),
        says: 'it lists DLA-9001-1, and is the list of DSA',
      },
      {
        document: 'half-typed',
        served: servedList(dsa.replace('wick 1.0-1', 'wick')),
        says: [0, 'line 3 cannot be understood', 'it fixes no package'],
      },
      { document: 'emptied', served: servedList(''), says: 'there is no advisory in it' },
    ],
  ],
  "Debian's tracker": [
    'debian',
    'DSA',
    [
      {
        document: 'foreign',
        served: servedList(dsa, 'page'),
        last: [documentFrom(tracker, json({ wick: vulnerability }))],
        says: [1, 'is out of place'],
      },
      {
        document: 'half-typed',
        served: servedList(dsa, { wick: vulnerability, lamp: 'none', oil: { 'CVE-2031-1': 7 } }),
        says: [1, 'that have another form were left out: 1 (for example lamp)'],
      },
      {
        document: 'half-typed',
        served: servedList(dsa, { wick: { 'CVE-2031-20001': { releases: 'bookworm' } } }),
        says: [1, 'that have another form were left out: 1 (for example wick CVE-2031-20001)'],
      },
      {
        document: 'emptied',
        served: servedList(dsa, {}),
        last: [documentFrom(tracker, json({ wick: vulnerability }))],
        says: [1, 'it names no vulnerability of a package'],
      },
    ],
  ],
  openSUSE: [
    'opensuse',
    '15.6',
    repositoryCases('https://download.opensuse.org/update/leap/15.6/oss/', {
      release: 'openSUSE Leap 15.6',
      tag: '1',
      otherRelease: 'openSUSE Leap 15.5',
      otherTag: '',
    }),
  ],
  'Oracle Linux': [
    'oracleLinux',
    '8',
    repositoryCases('https://yum.oracle.com/repo/OracleLinux/OL8/baseos/latest/x86_64/', {
      release: 'Oracle Linux 8',
      tag: 'el8',
      otherRelease: 'Oracle Linux 9',
      otherTag: 'el9_3',
    }),
  ],
  'Amazon Linux': [
    'amazonLinux',
    '2023',
    repositoryCases(
      'https://cdn.amazonlinux.com/al2023/core/guids/1/x86_64/',
      {
        release: 'Amazon Linux 2023',
        tag: 'amzn2023',
        otherRelease: 'Amazon Linux 2',
        otherTag: 'amzn2',
      },
      {
        'https://cdn.amazonlinux.com/al2023/core/mirrors/latest/x86_64/mirror.list':
          'https://cdn.amazonlinux.com/al2023/core/guids/1/x86_64/\n',
      },
    ),
  ],
  AlmaLinux: [
    'almaLinux',
    '8',
    [
      { document: 'good', served: servedFrom(alma), says: [3] },
      {
        document: 'foreign',
        served: edited(alma, alma8, () => '{"error":1}'),
        says: 'it has no array "data"',
      },
      {
        document: 'retitled',
        served: edited(alma, alma8, (text) => text.replaceAll('1.el8', '1.el9')),
        says: 'all of its packages are built for el9, not for el8',
      },
      {
        document: 'half-typed',
        served: edited(alma, alma8, (text) =>
          text.replace(/"packages":\[[^\]]*\]/, '"packages":"none"'),
        ),
        says: [2, 'ALSA-2026:1001 rejected: packages: '],
      },
      {
        document: 'emptied',
        served: edited(alma, alma8, (text) =>
          text.replace(/"packages":\[[^\]]*\]/, '"packages":[]'),
        ),
        says: [2, 'ALSA-2026:1001 rejected: it names no package'],
      },
    ],
  ],
  Apollo: [
    'rockyLinux',
    'advisories',
    [
      { document: 'good', served: servedFrom(rocky), says: [4] },
      {
        document: 'foreign',
        served: edited(rocky, rockyPage, () => '{"error":1}'),
        says: 'it is no page of advisories',
      },
      {
        document: 'retitled',
        served: edited(
          rocky,
          rockyPage,
          editJson((value) => ({ ...value, page: 2 })),
        ),
        says: 'it is page 2, not page 1',
      },
      {
        document: 'half-typed',
        served: edited(rocky, rockyPage, (text) =>
          text.replace(/"packages":\[[^\]]*\]/, '"packages":"none"'),
        ),
        says: [3, 'RLSA-2026:1001 rejected: packages: '],
      },
      {
        document: 'emptied',
        served: edited(
          rocky,
          rockyPage,
          editJson((value) => ({ ...value, advisories: [] })),
        ),
        says: [0, 'the pages do not hold as many advisories as Apollo counts'],
      },
    ],
  ],
  "winget's manifests": [
    'thirdParty',
    'compression',
    [
      { document: 'good', served: servedFrom(winget), says: [2, 'None of their sources'] },
      {
        document: 'retitled',
        served: edited(winget, /7zip\.installer/, (text) =>
          text.replace('7zip.7zip', 'Other.7zip'),
        ),
        says: [1, '7zip.7zip rejected: it is of Other.7zip', 'None of their sources'],
      },
      {
        document: 'half-typed',
        served: edited(winget, /7zip\.installer/, (text) =>
          text.replace(/Installers:\n[^]*Manifest/, 'Installers: none\nManifest'),
        ),
        says: [1, '7zip.7zip rejected: Installers: ', 'None of their sources'],
      },
      {
        document: 'emptied',
        served: edited(winget, /7zip\.installer/, () => ''),
        says: [1, '7zip.7zip rejected: ', 'None of their sources'],
      },
    ],
  ],
  Pardus: [
    'pardus',
    'guvenlik yirmiuc-deb',
    [
      { document: 'good', served: servedFrom(pardus), says: [4] },
      {
        document: 'foreign',
        served: edited(pardus, /InRelease$/, () => page),
        says: 'it is no signed message',
      },
      {
        document: 'retitled',
        served: edited(pardus, /InRelease$/, () => signedOther),
        says: 'it is of the suite yirmiuc, yirmiuc, not of yirmiuc-deb',
      },
    ],
  ],
  "Apple's catalogues": [
    'mac',
    'software',
    [
      { document: 'good', served: servedFrom(macos), says: [4, ...withoutSecurityPages] },
      {
        document: 'foreign',
        served: edited(macos, /index-26/, () => page),
        says: 'its outermost element is <html>',
      },
      {
        document: 'half-typed',
        served: edited(macos, /index-26/, (text) =>
          text.replace(/<array>[^]*?<\/array>/, '<string>none</string>'),
        ),
        says: [3, ...withoutSecurityPages, '901-00001 rejected: Packages: '],
      },
    ],
  ],
  'CISA KEV': [
    'kev',
    'kev',
    [
      { document: 'good', served: kev({}), says: [1] },
      { document: 'foreign', served: { [kevUrl]: page }, says: 'it is not valid JSON' },
      {
        document: 'retitled',
        served: kev({ title: 'Lantern catalogue' }),
        says: 'it is "Lantern catalogue", not',
      },
      { document: 'half-typed', served: kev({ count: 2 }), says: 'its count of 2 differs' },
      {
        document: 'half-typed',
        served: kev({ vulnerabilities: [{ cveID: 'CVE-2031-1001', dateAdded: 7 }] }),
        says: [0, 'CVE-2031-1001 rejected: its dateAdded 7 is not a date'],
      },
      {
        document: 'emptied',
        served: kev({ count: 0, vulnerabilities: [] }),
        says: 'there is no vulnerability in it',
      },
    ],
  ],
  EPSS: [
    'epss',
    'epss',
    [
      { document: 'good', served: epss(columns, 'CVE-2031-1001,0.5,0.5'), says: [1] },
      {
        document: 'foreign',
        served: { [epssUrl]: page },
        says: 'it has no columns "cve" and "epss"',
      },
      {
        document: 'retitled',
        served: epss('cve,cvss', 'CVE-2031-1001,5'),
        says: 'it has no columns',
      },
      {
        document: 'half-typed',
        served: epss(columns, 'CVE-2031-1001,0.5,0.5', 'CVE-2031-1002,high,0.5'),
        says: [1, 'line 4 rejected: the score of CVE-2031-1002, "high", is not a number'],
      },
      { document: 'emptied', served: epss(columns), says: 'there is no score in it' },
    ],
  ],
  NVD: [
    'cvss',
    '2026',
    (
      [
        ['good', [{ ...fullRecord, id: 'CVE-2026-1001' }], [1]],
        ['retitled', [{ ...fullRecord, id: 'CVE-2025-1001' }], 'its CVEs are of 2025, not of 2026'],
        [
          'half-typed',
          [{ ...fullRecord, id: 'CVE-2026-1001', metrics: { cvssMetricV31: 'high' } }, { id: 7 }],
          [
            1,
            'record 2 rejected: its id 7 is no CVE id',
            'scores that are not numbers from 0 to 10',
          ],
        ],
        ['emptied', [], [0, 'there is no record in']],
      ] as const
    ).map(
      ([document, written, says]): Case => ({
        document,
        served: servedNvd('2026', nvdFile(written)),
        says,
      }),
    ),
  ],
};

const containing = (text: string): unknown => expect.stringContaining(text);

function expectedOutcome(says: Case['says']): unknown {
  if (typeof says === 'string') return { refused: containing(says) };
  const [entries, ...lines] = says;
  return { entries, lines: lines.map(containing) };
}

for (const [name, [source, part, ofFeed]] of Object.entries(cases))
  test.each(ofFeed)(`reads ${name} when a document is $document: $says`, async (given) => {
    const feed = feeds[source];
    const found = feed?.parts.find((candidate) => candidate.key === part);
    if (found === undefined) throw new Error(`There is no part ${part} of ${source}`);
    const outcome = await outcomeOf(found, await given.served, given.last);
    expect(outcome).toEqual(expectedOutcome(given.says));
  });
