import { expect, test } from 'vitest';
import type { Document, PartManifest, Rejection } from '../../definition/feed.ts';
import { allOf } from '../../testing/all-of.ts';
import { contents, entriesOf, part, readings } from './testing/guide-fixtures.ts';

test('what looks like a KB and cannot be used is told with its reason', () => {
  const url = 'https://api.msrc.microsoft.com/cvrf/v3.0/cvrf/2024-Jan';
  expect(readings.filter((reading): reading is Rejection => reading.kind === 'rejection')).toEqual([
    {
      kind: 'rejection',
      rejected: 'KB50344',
      reason: 'The number of a KB has six or seven digits.',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'KB5090901',
      reason: 'The fix of CVE-2024-90600 names no product that it is for.',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'KB5090122',
      reason:
        'It fixes a vulnerability without a CVE or advisory id; that vulnerability is left out.',
      url,
    },
    {
      kind: 'rejection',
      rejected: 'KB5090902',
      keys: ['KB5090902|99999'],
      reason: 'It is for a product "99999" that no document describes.',
      url,
    },
  ]);
});

const fixture = (id: string) => contents.documents.find(({ url }) => url.endsWith(id)) as Document;
const withText = (text: string): PartManifest => ({
  documents: [
    {
      ...fixture('2024-Feb'),
      chunks: async function* () {
        yield text;
      },
    },
  ],
  whole: false,
});

test('a document that is JSON, breaks off or is something else is read to nothing at all', async () => {
  const text = await fixture('2024-Feb').text();
  const read = (served: string) => allOf(part.read(withText(served)));
  expect(entriesOf(await read(text)).size).toBe(3);
  await expect(read('{"DocumentTitle":{"Value":"February 2024"}}')).rejects.toThrow(
    '2024-Feb cannot be read: it is JSON where XML was expected',
  );
  await expect(read(text.slice(0, -10))).rejects.toThrow(
    /2024-Feb cannot be read: not well formed at line \d+/,
  );
  await expect(read('<html><body>Try later</body></html>')).rejects.toThrow(
    'its outermost element is <html>',
  );
});

test('words that are not known are reported once for each record, and kept', async () => {
  const text = (await fixture('2024-Feb').text())
    .replace('Exploited:Yes', 'Exploited:Perhaps')
    .replace('>Important<', '>Urgent<')
    .replaceAll('<vuln:RestartRequired>Yes<', '<vuln:RestartRequired>Twice<')
    .replaceAll('<vuln:SubType>Security Update<', '<vuln:SubType>Midnight Update<')
    .replace(
      '</vuln:Remediations>',
      '<vuln:Remediation Type="Known Issues"><vuln:Description>5091763</vuln:Description></vuln:Remediation></vuln:Remediations>',
    );
  const entry = entriesOf(await allOf(part.read(withText(text)))).get('KB5091763|12097');
  expect(entry?.unknownWords).toEqual([
    { vocabulary: 'restart behaviour', word: 'Twice', shownAs: null },
    { vocabulary: 'update type', word: 'Midnight Update', shownAs: null },
    { vocabulary: "exploit status 'Exploited'", word: 'Perhaps', shownAs: null },
    { vocabulary: 'severity', word: 'Urgent', shownAs: 'Unspecified' },
    { vocabulary: 'remediation type', word: 'Known Issues', shownAs: 'nothing' },
  ]);
  expect(entry?.row).toMatchObject({
    severity: 'Unspecified',
    restartBehaviour: 'Twice',
    exploited: null,
    publiclyDisclosed: false,
  });
  expect(entry?.detail).toMatchObject({
    vulnerabilities: [
      { vendorSeverity: 'Urgent', exploited: expect.stringContaining('Exploited:Perhaps') },
    ],
  });
  expect(
    readings.filter((reading) => reading.kind === 'entry' && reading.unknownWords !== undefined),
  ).toEqual([]);
});

test('a document without a date leaves its KBs without one', async () => {
  const text = (await fixture('2024-Feb').text()).replace(
    '2024-02-13T08:00:00Z',
    '0001-01-01T00:00:00',
  );
  const [entry] = entriesOf(await allOf(part.read(withText(text)))).values();
  expect(entry?.row).toMatchObject({
    releaseDate: null,
    name: 'Security Update for Windows 10 Version 22H2 for x64-based Systems (KB5090122)',
  });
});
