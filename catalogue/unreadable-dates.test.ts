/** Feeds over a record whose date is not a day: the run reports it. A missing date is not a fault. */
import { expect, test } from 'vitest';
import { feeds } from './feeds.ts';
import type { SourceKey } from './sources.ts';
import { aptSuiteFrom, packagesFrom } from './testing/apt-suite-from.ts';
import { describeOutcome, edited, json, key, servedFrom } from './testing/foreign-documents.ts';
import type { Served } from './testing/memory-publication.ts';
import {
  macosFiles,
  securityUpdateGuideFiles,
  thirdpartyFiles,
} from './testing/publications/other-publications.ts';
import { publishings } from './testing/publications/stated-record.ts';
import { scanFileFrom, scanMembers } from './vendors/windows/fixtures/offline-scan-members.ts';

const [{ records }] = publishings as readonly [(typeof publishings)[number]];

interface DateField {
  readonly source: SourceKey;
  readonly part: string;
  readonly good: string;
  /** Absent: the text of most vendors. */
  readonly says?: string;
  readonly serve: (date: string) => Served | Promise<Served>;
}

const guide = await securityUpdateGuideFiles(records);
const packageXml = scanMembers['package.cab']?.['package.xml'] ?? '';
const product = (date: string) =>
  json({
    releases: {
      'firefox-140.0': { version: '140.0', category: 'major', date },
      'firefox-128.8.0esr': { version: '128.8.0', category: 'esr', date: '2026-01-02' },
    },
  });
const replaced = (pattern: RegExp, value: string) => (text: string) =>
  text.replace(pattern, () => value);

const fields: Readonly<Record<string, DateField>> = {
  'Mozilla date': {
    source: 'thirdParty',
    part: 'browser',
    good: '2026-02-01',
    says: '"2024-02-30", is not a date that can be read',
    serve: (date) => ({
      ...servedFrom(thirdpartyFiles(records)),
      'https://product-details.mozilla.org/1.0/firefox_versions.json': json({
        LATEST_FIREFOX_VERSION: '140.0',
        FIREFOX_ESR: '128.8.0esr',
      }),
      'https://product-details.mozilla.org/1.0/firefox.json': product(date),
    }),
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
            date: date,
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
    says: "winget's ReleaseDate has another form; left out",
    serve: (date) =>
      edited(
        thirdpartyFiles(records),
        /7zip\.installer/,
        replaced(/Scope: /, `ReleaseDate: ${date}\nScope: `),
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
        replaced(/<date>[^<]+<\/date>/, `<date>${date}</date>`),
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
        replaced(/<(\w*:?)InitialReleaseDate>[^<]+</, `<cvrf:InitialReleaseDate>${date}<`),
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
              `CreationDate="${date}"`,
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
      'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz': `#model_version:v1,score_date:${date}\ncve,epss\nCVE-2031-1001,0.5\n`,
    }),
  },
};

async function describeLines({ source, part, serve }: DateField, date: string) {
  const found = feeds[source]?.parts.find((candidate) => candidate.key === part);
  if (found === undefined) throw new Error(`${source} has no part ${part}`);
  const outcome = await describeOutcome(found, await serve(date));
  if ('refused' in outcome) throw new Error(outcome.refused);
  return outcome.lines;
}

test.each(Object.entries(fields))('reports an unreadable %s', async (_name, field) => {
  const usual = new Set(await describeLines(field, field.good));
  const lines = (await describeLines(field, '2024-02-30')).filter((line) => !usual.has(line));
  expect(lines).toEqual([
    expect.stringContaining(field.says ?? '"2024-02-30" is not a date that can be read'),
  ]);
});

test.each(Object.entries(fields))('reports nothing without the %s', async (_name, field) => {
  expect(await describeLines(field, '')).toEqual(await describeLines(field, field.good));
});
