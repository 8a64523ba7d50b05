/** OSV and CSAF documents of every feed's fixtures are valid; osv-on-mirror.long.ts and csaf-on-mirror.long.ts read the whole mirror. */
import { expect, test } from 'vitest';
import type { Feed } from '../definition/feed.ts';
import { vendorFeeds } from '../feeds.ts';
import { fixtureEntries, fixtureItems } from '../testing/fixture-entries.ts';
import { describeWithShared } from '../testing/shared-folder.ts';
import { csafLists } from './csaf-lists.ts';
import {
  mandatoryFailures,
  optionalFailures,
  toCsafDocuments,
  toVexDocuments,
} from './testing/csaf-documents.ts';
import { invalidRecords, toOsvRecords } from './testing/osv-records.ts';

describeWithShared('open-formats')('OSV records of fixtures', () => {
  test.each([
    ['almaLinux', 'almalinux_patch'],
    ['rockyLinux', 'rockylinux_patch'],
    ['debian', 'debian_patch'],
    ['ubuntu', 'linux_notice'],
    ['opensuse', 'opensuse_patch'],
  ] as const)('are valid by the schema: %s', async (source, list) => {
    const records = toOsvRecords(await fixtureEntries(vendorFeeds[source] as Feed), list);
    expect(records.some(({ affected }) => affected.length > 0)).toBe(true);
    expect(invalidRecords(records)).toEqual([]);
  });
});

test.each(Object.entries(vendorFeeds))(
  'CSAF documents pass the mandatory tests of the standard: %s',
  async (source, feed) => {
    const lists = toCsafDocuments(await fixtureEntries(feed));
    const documents = [...lists.values()].flatMap((list) => list.documents);
    expect(documents.length > 0).toBe(csafLists.some((list) => list.source === source));
    for (const document of documents) {
      expect(await mandatoryFailures(document)).toEqual([]);
      const optional = await optionalFailures(document);
      // Keys are in the order of the alphabet, and a document names its own address.
      expect(optional).not.toContain('recommendedTest_6_2_13');
      expect(optional).not.toContain('recommendedTest_6_2_11');
    }
  },
);

test.each(Object.entries(vendorFeeds))(
  'VEX documents pass the mandatory tests of the standard: %s',
  async (source, feed) => {
    const { documents } = toVexDocuments(source, await fixtureItems(feed));
    expect(documents.length > 0).toBe(source === 'debian');
    for (const document of documents) {
      expect(await mandatoryFailures(document)).toEqual([]);
      const optional = await optionalFailures(document);
      expect(optional).not.toContain('recommendedTest_6_2_13');
      expect(optional).not.toContain('recommendedTest_6_2_11');
    }
  },
);
