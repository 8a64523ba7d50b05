/** Lines of the feed mirror's KBs, and the current cumulative update of each product. */
import { beforeAll, expect, test } from 'vitest';
import type { Entry } from '../../definition/feed.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { findPart } from '../../testing/find-part.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readAllItems } from '../../testing/read-all-items.ts';
import { filterByList, readScan } from './testing/mirrored-scan.ts';
import { windowsKbFeed } from './windows-kb-feed.ts';

describeWithMirror('Lines of KBs in the feed mirror', () => {
  let entries: readonly Entry[];

  beforeAll(async () => {
    const lists = { kb_repository: filterByList(await readScan(feedMirror), 'kb_repository') };
    const part = findPart(windowsKbFeed, 'msrc');
    const items = await readAllItems(
      part,
      await part.contents(publicationFrom(feedMirror, { lists })),
    );
    entries = items.filter(
      (item): item is Entry => item.kind === 'entry' && item.list.key === 'patch_repository',
    );
  });

  test('gives a KB one line on all of its products', () => {
    const lines = Map.groupBy(entries, ({ row }) => row['kbId']);
    const several = [...lines].filter(
      ([, ofKb]) => new Set(ofKb.map(({ detail }) => detail['line'])).size > 1,
    );
    expect(lines.size).toBeGreaterThan(1300);
    expect(several.map(([kb]) => kb)).toEqual([]);
  });

  test('names one current cumulative update of each Windows, where days and builds order them', () => {
    const current = entries.filter(
      ({ row, detail }) =>
        detail['line'] === 'Cumulative update' &&
        String(row['productName']).startsWith('Windows') &&
        row['superseded'] === false,
    );
    const several = [...Map.groupBy(current, ({ row }) => row['productName'])].filter(
      ([, ofProduct]) => ofProduct.length > 1,
    );
    expect(
      several.map(([product, ofProduct]) => [product, ...ofProduct.map(({ row }) => row['kbId'])]),
    ).toEqual([
      // One document dates both on the same day.
      ['Windows Server, version 2004 (Server Core installation)', 'KB4592438', 'KB5000802'],
      ['Windows Server, version 1909 (Server Core installation)', 'KB4592449', 'KB5000808'],
      // KB5013945 has the build of another version.
      ['Windows 10 Version 1809 for 32-bit Systems', 'KB5013945', 'KB5094123'],
    ]);
  });
});
