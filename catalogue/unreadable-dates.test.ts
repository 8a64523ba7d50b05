/** Each feed over a record whose date has another type or is not a day: the run reports it. A missing date is not a fault. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { feeds } from './feeds.ts';
import type { SourceKey } from './sources.ts';
import { aptSuiteFrom, packagesFrom } from './testing/apt-suite-from.ts';
import { describeOutcome, edited, json, key, servedFrom } from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import { fullRecord, nvdFile, served as servedNvd } from './testing/nvd-files.ts';
import { debianFiles, ubuntuFiles } from './testing/publications/deb-publications.ts';
import {
  macosFiles,
  securityUpdateGuideFiles,
  thirdpartyFiles,
} from './testing/publications/other-publications.ts';
import {
  almalinuxFiles,
  centosFiles,
  rockylinuxFiles,
} from './testing/publications/rpm-publications.ts';
import { publishings } from './testing/publications/stated-record.ts';
import { rpmRepositoryFrom } from './testing/rpm-repository-from.ts';
import { scanFileFrom, scanMembers } from './vendors/windows/fixtures/offline-scan-members.ts';

const [{ records }] = publishings as readonly [(typeof publishings)[number]];

interface DateField {
  readonly source: SourceKey;
  readonly part: string;
  readonly good: unknown;
  /** Absent: the text of most vendors. */
  readonly says?: (written: string) => string;
  readonly serve: (date: unknown) => Served | Promise<Served>;
}

const cefs = centosFiles(records);
const [cefsText = ''] = Object.values(cefs).map(String);
const cefsAt = 'cefs.steve-meier.de/errata.latest';
const withCefs = (text: string) => {
  const sum = createHash('sha1').update(text).digest('hex');
  return servedFrom({
    [`${cefsAt}.xml.bz2`]: text,
    [`${cefsAt}.sha1`]: `${sum}  errata.latest.xml\n${sum}  errata.latest.xml.bz2\n`,
  });
};
const updateinfo = (address: string, release: string, tag: string, besides: Served = {}) => {
  const serve = (field: string) => (date: unknown) => ({
    ...besides,
    ...servedFrom(
      rpmRepositoryFrom(
        address,
        `<updates><update><id>A-1</id><release>${release}</release><${field} date="${String(date)}"/><pkglist><collection><package name="wick" version="1" release="1.${tag}" arch="x86_64"/></collection></pkglist></update></updates>`,
      ),
    ),
  });
  return { issued: serve('issued'), updated: serve('updated') };
};
const oracle = updateinfo(
  'https://yum.oracle.com/repo/OracleLinux/OL8/baseos/latest/x86_64/',
  'Oracle Linux 8',
  'el8',
);
const opensuse = updateinfo(
  'https://download.opensuse.org/update/leap/15.6/oss/',
  'openSUSE Leap 15.6',
  '1',
);
const core = 'https://cdn.amazonlinux.com/al2023/core/';
const amazon = updateinfo(`${core}guids/1/x86_64/`, 'Amazon Linux 2023', 'amzn2023', {
  [`${core}mirrors/latest/x86_64/mirror.list`]: `${core}guids/1/x86_64/\n`,
});
const ubuntu = await ubuntuFiles(records, key);
const guide = await securityUpdateGuideFiles(records);
const packageXml = scanMembers['package.cab']?.['package.xml'] ?? '';
const kevUrl =
  'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const product = (date: unknown) =>
  json({
    releases: {
      'firefox-140.0': { version: '140.0', category: 'major', date },
      'firefox-128.8.0esr': { version: '128.8.0', category: 'esr', date: '2026-01-02' },
    },
  });
const replaced = (pattern: RegExp, value: string) => (text: string) =>
  text.replace(pattern, () => value);

/** JSON states a value of any type. */
const jsonFields: Readonly<Record<string, DateField>> = {
  'AlmaLinux issued_date': {
    source: 'almaLinux',
    part: '8',
    good: 1_770_000_000,
    serve: (date) =>
      edited(
        almalinuxFiles(records),
        /\/8\/errata/,
        replaced(/"issued_date":\d+/, `"issued_date":${json(date)}`),
      ),
  },
  'Apollo updated_at': {
    source: 'rockyLinux',
    part: 'advisories',
    good: '2026-02-03T07:00:00+00:00',
    serve: (date) =>
      edited(
        rockylinuxFiles(records),
        /page=1&/,
        replaced(/"updated_at":"[^"]+"/, `"updated_at":${json(date)}`),
      ),
  },
  'Ubuntu published': {
    source: 'ubuntu',
    part: 'notices',
    good: '2026-02-03T09:08:07.00099',
    serve: (date) =>
      edited(
        ubuntu,
        /notices\.json/,
        replaced(/"published":"2026-02-03[^"]+"/, `"published":${json(date)}`),
      ),
  },
  'KEV dueDate': {
    source: 'kev',
    part: 'kev',
    good: '2026-02-22',
    says: (written) => `${written} is not a date; it is left empty`,
    serve: (dueDate) => ({
      [kevUrl]: json({
        dateReleased: '2026-02-03T00:00:00Z',
        count: 1,
        vulnerabilities: [{ cveID: 'CVE-2031-1001', dateAdded: '2026-02-01', dueDate }],
      }),
    }),
  },
  'NVD published': {
    source: 'cvss',
    part: '2026',
    good: '2026-02-03T10:00:00.000',
    says: () => 'were left out: 1 (for example published of CVE-2026-1001)',
    serve: (published) =>
      servedNvd('2026', nvdFile([{ ...fullRecord, id: 'CVE-2026-1001', published }])),
  },
  'Mozilla date': {
    source: 'thirdParty',
    part: 'browser',
    good: '2026-02-01',
    says: (written) => `"${written}", is not a date that can be read`,
    serve: (date) => ({
      ...servedFrom(thirdpartyFiles(records)),
      'https://product-details.mozilla.org/1.0/firefox_versions.json': json({
        LATEST_FIREFOX_VERSION: '140.0',
        FIREFOX_ESR: '128.8.0esr',
      }),
      'https://product-details.mozilla.org/1.0/firefox.json': product(date),
    }),
  },
  'gdmf PostingDate': {
    source: 'mac',
    part: 'versions',
    good: '2026-02-03',
    says: () => 'PostingDate: it is not a day',
    serve: (date) =>
      edited(
        macosFiles(records),
        /gdmf/,
        replaced(/"PostingDate":"2026-02-03"/, `"PostingDate":${json(date)}`),
      ),
  },
};

/** XML, YAML and lists of lines state text alone. */
const textFields: Readonly<Record<string, DateField>> = {
  'Oracle Linux issued': {
    source: 'oracleLinux',
    part: '8',
    good: '2026-02-03 10:00:00',
    serve: oracle.issued,
  },
  'openSUSE updated': {
    source: 'opensuse',
    part: '15.6',
    good: '2026-02-03 10:00:00',
    serve: opensuse.updated,
  },
  'Amazon Linux issued': {
    source: 'amazonLinux',
    part: '2023',
    good: '2026-02-03T10:00:00Z',
    serve: amazon.issued,
  },
  'CEFS issue_date': {
    source: 'centOs',
    part: 'errata',
    good: '2026-02-03 01:37:20',
    serve: (date) =>
      withCefs(cefsText.replace(/issue_date="[^"]+"/, `issue_date="${String(date)}"`)),
  },
  'Debian advisory': {
    source: 'debian',
    part: 'DSA',
    good: '03 Feb 2026',
    serve: (date) =>
      edited(debianFiles(records), /DSA\/list/, replaced(/\[03 Feb 2026\]/, `[${String(date)}]`)),
  },
  'apt Date': {
    source: 'ubuntu',
    part: 'jammy-security',
    good: 'Tue, 03 Feb 2026 10:00:00 UTC',
    serve: async (date) =>
      servedFrom(
        await aptSuiteFrom(
          {
            archive: 'http://security.ubuntu.com/ubuntu',
            suite: 'jammy-security',
            date: String(date),
            components: {
              main: packagesFrom([
                { Package: 'wick', Version: '1.0', Architecture: 'amd64', Description: 'A wick' },
              ]),
            },
          },
          key,
        ),
      ),
  },
  'winget ReleaseDate': {
    source: 'thirdParty',
    part: 'compression',
    good: '2026-02-03',
    says: () => "winget's ReleaseDate has another form; left out",
    serve: (date) =>
      edited(
        thirdpartyFiles(records),
        /7zip\.installer/,
        replaced(/Scope: /, `ReleaseDate: ${String(date)}\nScope: `),
      ),
  },
  'Apple PostDate': {
    source: 'mac',
    part: 'software',
    good: '2026-02-03T10:00:00Z',
    serve: (date) =>
      edited(
        macosFiles(records),
        /snowleopard/,
        replaced(/<date>[^<]+<\/date>/, `<date>${String(date)}</date>`),
      ),
  },
  'MSRC InitialReleaseDate': {
    source: 'wsus',
    part: 'msrc',
    good: '2026-01-13T08:00:00',
    serve: (date) =>
      edited(
        guide,
        /cvrf\/2026-Jan/,
        replaced(/<(\w*:?)InitialReleaseDate>[^<]+</, `<cvrf:InitialReleaseDate>${String(date)}<`),
      ),
  },
  'Windows Update CreationDate': {
    source: 'wsus',
    part: 'offline-scan',
    good: '2026-02-03T10:00:00Z',
    serve: (date) => ({
      'https://catalog.s.download.windowsupdate.com/microsoftupdate/v6/wsusscan/wsusscn2.cab':
        scanFileFrom({
          ...scanMembers,
          'package.cab': {
            'package.xml': packageXml.replace(
              /CreationDate="[^"]+"(?=[^>]*RevisionId="1001")/,
              `CreationDate="${String(date)}"`,
            ),
          },
        }),
    }),
  },
  'EPSS score_date': {
    source: 'epss',
    part: 'epss',
    good: '2026-02-03T12:00:00Z',
    serve: (date) => ({
      'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz': `#model_version:v1,score_date:${String(date)}\ncve,epss\nCVE-2031-1001,0.5\n`,
    }),
  },
};

const texts = ['tomorrow', '2024-02-30', '12'];
const fields = { ...jsonFields, ...textFields };
const unreadable = [
  ...Object.keys(textFields).flatMap((field) => texts.map((date) => ({ field, date }))),
  ...Object.keys(jsonFields).flatMap((field) =>
    [...texts, 12, true, { day: 3 }, ['2026-02-03']].map((date) => ({ field, date })),
  ),
];
const missing = [
  ...Object.keys(textFields).map((field) => ({ field, date: '' })),
  ...Object.keys(jsonFields).flatMap((field) => [null, ''].map((date) => ({ field, date }))),
];

async function describeLines({ source, part, serve }: DateField, date: unknown) {
  const found = feeds[source]?.parts.find((candidate) => candidate.key === part);
  if (found === undefined) throw new Error(`${source} has no part ${part}`);
  const outcome = await describeOutcome(found, await serve(date));
  if ('refused' in outcome) throw new Error(outcome.refused);
  return outcome.lines;
}

function getField(name: string): DateField {
  const field = fields[name];
  if (field === undefined) throw new Error(`Unknown field ${name}`);
  return field;
}

test.each(unreadable)('reports $date as $field', async ({ field: name, date }) => {
  const field = getField(name);
  const usual = new Set(await describeLines(field, field.good));
  const written = typeof date === 'string' ? date : json(date);
  const says = field.says?.(written) ?? `"${written}" is not a date that can be read`;
  const quoted = name === 'KEV dueDate' ? json(date) : written;
  const lines = (await describeLines(field, date)).filter((line) => !usual.has(line));
  expect(lines).toEqual([expect.stringContaining(says.replace(written, quoted))]);
});

test.each(missing)('reports nothing when $field is $date', async ({ field: name, date }) => {
  const field = getField(name);
  expect(await describeLines(field, date)).toEqual(await describeLines(field, field.good));
});
