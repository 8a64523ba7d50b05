import { expect, test } from 'vitest';
import type { Document } from '../../definition/feed.ts';
import { collect } from '../../testing/collect.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { formatMessages, indexEntries } from '../../testing/feed-reader.ts';
import { contents, part, readings } from './testing/guide-fixtures.ts';

test('rejects unusable KBs with the reason', () => {
  expect(formatMessages(readings).filter((line) => line.startsWith('KB'))).toEqual([
    'KB50344: The number of a KB has six or seven digits.',
    'KB5090901: The fix of CVE-2024-90600 names no product that it is for.',
    'KB5090122: It fixes a vulnerability without a CVE or advisory id; that vulnerability is left out.',
    'KB5090902: It is for a product "99999" that no document describes. [KB5090902|99999]',
  ]);
  const url = 'https://api.msrc.microsoft.com/cvrf/v3.0/cvrf/2024-Jan';
  const rejections = readings.filter(({ kind }) => kind === 'rejection');
  expect(rejections).toMatchObject([{ url }, { url }, { url }, { url }]);
});

const fixture = (id: string) => contents.documents.find(({ url }) => url.endsWith(id)) as Document;
const february = await fixture('2024-Feb').text();
const read = (text: string) =>
  collect(
    part.read({ documents: [documentFrom(fixture('2024-Feb').url, text)], isComplete: false }),
  );

test.each([
  [
    '{"DocumentTitle":{"Value":"February 2024"}}',
    '2024-Feb cannot be read: it is JSON where XML was expected',
  ],
  [february.slice(0, -10), /2024-Feb cannot be read: not well formed at line \d+/],
  ['<html><body>Try later</body></html>', 'its outermost element is <html>'],
])('refuses a document that is JSON, truncated or of another kind', async (text, problem) => {
  expect(indexEntries(await read(february)).size).toBe(3);
  await expect(read(text)).rejects.toThrow(problem);
});

test('reports unknown words once for each record and shows them', async () => {
  const text = february
    .replace('Exploited:Yes', 'Exploited:Perhaps')
    .replace('>Important<', '>Urgent<')
    .replaceAll('<vuln:RestartRequired>Yes<', '<vuln:RestartRequired>Twice<')
    .replaceAll('<vuln:SubType>Security Update<', '<vuln:SubType>Midnight Update<')
    .replace(
      '</vuln:Remediations>',
      '<vuln:Remediation Type="Known Issues"><vuln:Description>5091763</vuln:Description></vuln:Remediation></vuln:Remediations>',
    );
  const entry = indexEntries(await read(text)).get('KB5091763|12097');
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
