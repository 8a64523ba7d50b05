import type { Entry } from '@patch/catalogue/definition/feed.ts';
import { describeWithMirror, feedMirror } from '@patch/catalogue/testing/describe-with-mirror.ts';
import { partOf } from '@patch/catalogue/testing/part-of.ts';
import { publicationFrom } from '@patch/catalogue/testing/publication-from.ts';
import { windowsKbFeed } from '@patch/catalogue/vendors/windows/windows-kb-feed.ts';
import { expect, test } from 'vitest';
import { windowsConclusions } from './windows-conclusions.ts';

describeWithMirror('docs/windows-conclusions.md', () => {
  test('says what the feed mirror gives: else write it again with -u', async () => {
    const kbBase: Entry[] = [];
    const scan = partOf(windowsKbFeed, 'offline-scan');
    for await (const reading of scan.read(await scan.contents(publicationFrom(feedMirror)))) {
      if (reading.kind === 'entry' && reading.list.key === 'kb_repository') kbBase.push(reading);
    }
    const entries: Entry[] = [];
    const remarks: string[] = [];
    const guide = partOf(windowsKbFeed, 'msrc');
    for await (const reading of guide.read(
      await guide.contents(publicationFrom(feedMirror, { lists: { kb_repository: kbBase } })),
    )) {
      if (reading.kind === 'entry') entries.push(reading);
      else if (reading.kind === 'remark') remarks.push(reading.remark);
    }
    await expect(windowsConclusions(entries, remarks)).toMatchFileSnapshot(
      '../docs/windows-conclusions.md',
    );
  });
});
