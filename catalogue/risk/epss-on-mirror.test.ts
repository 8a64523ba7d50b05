import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Document } from '../definition/feed.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { scores } from '../testing/epss-items.ts';
import { formatMessages } from '../testing/feed-reader.ts';
import { findPart } from '../testing/find-part.ts';
import { memoryPublication } from '../testing/memory-publication.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import {
  describeWithRiskEdgeCases,
  riskEdgeCase,
  riskEdgeCases,
} from '../testing/risk-edge-cases.ts';
import { epssFeed } from './epss-feed.ts';
import { readEpssHeader, readEpssItems } from './epss-rows.ts';

const address = 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz';
const part = findPart(epssFeed, 'epss');

/** Formats a row as `scores` does; the indexes are those of id, score and percentile. */
function scoreIn(row: string, [id, score, percentile] = [0, 1, 2]): string {
  const cells = row.split(',');
  return [cells[id ?? 0], Number(cells[score ?? 1]), Number(cells[percentile ?? 2])].join(' ');
}

describeWithRiskEdgeCases('EPSS edge cases', () => {
  /** Rows without the comment lines and the line of columns. */
  const readRows = (name: string) =>
    decompress(readFileSync(new URL(name, riskEdgeCases)))
      .replaceAll('\r', '')
      .split('\n')
      .filter((line) => line.startsWith('CVE-'));
  const edgeCase = (name: string): Document =>
    riskEdgeCase(name, `https://epss.empiricalsecurity.com/${name}`);

  test.each([
    ['epss-no-comment.csv.gz', null, null],
    ['epss-old-comment.csv.gz', 'v2023.03.01', '2024-05-13T00:00:00.000Z'],
    ['epss-two-comments-crlf-bom.csv.gz', 'v2026.06.15', '2026-08-13T00:00:00.000Z'],
    ['epss-plain-named-gz.csv.gz', 'v2026.06.15', '2026-08-13T12:02:11.000Z'],
    ['epss-new-model.csv.gz', 'v2027.06.15', '2027-06-15T12:00:26.000Z'],
  ])('reads %s', async (name, model, date) => {
    const document = edgeCase(name);
    const header = await readEpssHeader(document);
    expect(header.model).toBe(model);
    expect(header.scoreDate).toBe(date === null ? null : Date.parse(date));
    const rows = readRows(name);
    expect(rows.length).toBeGreaterThan(300);
    const read = await collect(readEpssItems(document));
    expect(formatMessages(read)).toEqual([]);
    expect(scores(read)).toEqual(rows.map((row) => scoreIn(row)));
  });

  test('takes the date of epss-no-comment.csv.gz from its file name', async () => {
    const body = readFileSync(new URL('epss-no-comment.csv.gz', riskEdgeCases));
    const publication = memoryPublication({ [address]: body });
    const datedAddress = 'https://epss.empiricalsecurity.com/epss_scores-2026-08-13.csv.gz';
    const { remember } = await part.contents({
      ...publication,
      open: async (url) => ({ ...(await publication.open(url)), url: datedAddress }),
    });
    expect(remember).toEqual({ scoreDate: '2026-08-13T00:00:00.000Z' });
  });

  test('reads epss-columns-moved.csv.gz by column name', async () => {
    const read = await collect(readEpssItems(edgeCase('epss-columns-moved.csv.gz')));
    const rows = readRows('epss-columns-moved.csv.gz').map((row) => scoreIn(row, [0, 2, 1]));
    expect(scores(read)).toEqual(rows);
  });
});

const decompress = (body: Buffer) => (body[0] === 0x1f ? gunzipSync(body) : body).toString('utf8');

describeWithMirror('EPSS scores in the feed mirror', () => {
  test.each([
    ['', 36_591],
    ['../risk-edge-cases/overlay-next-day/', 36_621],
    ['../risk-edge-cases/overlay-next-week/', 36_622],
  ])('reads every row of %s with its numbers', async (folder, count) => {
    const root = new URL(folder, feedMirror);
    const body = readFileSync(
      new URL('epss.empiricalsecurity.com/epss_scores-current.csv.gz', root),
    );
    const rows = decompress(body).trimEnd().split('\n').slice(2);
    expect(rows).toHaveLength(count);
    const read = await collect(part.read(await part.contents(publicationFrom(root))));
    expect(scores(read)).toEqual(rows.map((row) => scoreIn(row)));
  });
});
