/**
 * Tests that a database that synced several publications of a vendor lists the same records as one that synced only the last. Until
 * quarantined records are accepted, the databases may differ in these records only.
 */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { Publishing } from '@patch/catalogue/testing/publications/stated-record.ts';
import {
  formats,
  type VendorPublication,
  vendorPublications,
} from '@patch/catalogue/testing/publications/vendor-publications.ts';
import { expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openOnce } from '../../testing/databases.ts';
import { filesUpstream } from './files-upstream.ts';
import { contentDifferences, type ListedContents, listedContents } from './listed-content.ts';
import { acceptQuarantine, quarantineOfSource } from './quarantine-of-source.ts';
import type { RunWithTexts } from './run-with-texts.ts';
import { SyncBench } from './sync-bench.ts';

const firstDay = Date.UTC(2026, 10, 12, 9);
const day = 24 * 60 * 60 * 1000;

const open = openOnce();
let database: Database;

/** The publications of a vendor, one for each day. */
class PublishedDays {
  readonly source: SourceKey;
  readonly feed: Feed;
  readonly publications: readonly VendorPublication[];

  constructor(source: SourceKey, feed: Feed, publications: readonly VendorPublication[]) {
    this.source = source;
    this.feed = feed;
    this.publications = publications;
  }

  async sync(bench: SyncBench, index: number): Promise<RunWithTexts> {
    const { files = {}, trustedKeys = [] } = this.publications[index] ?? {};
    const run = await bench.sync(this.feed, {
      source: this.source,
      upstream: filesUpstream(files),
      trustedKeys,
      now: firstDay + index * day,
      fetching: { tries: 1 },
    });
    const [error] = bench.errors;
    if (error !== undefined) throw new Error('This program failed', { cause: error });
    if (run.state === 'failed') throw new Error(`The sync failed: ${run.message}`);
    return run;
  }

  async fromNothing(index: number): Promise<ListedContents> {
    database = await open();
    const bench = await SyncBench.open(database);
    await this.sync(bench, index);
    await bench.close();
    return listedContents(database, this.feed);
  }

  /** Accepts all quarantine entries repeatedly, because a decision on a list can quarantine a part that is derived from it. */
  async accept(bench: SyncBench, index: number): Promise<void> {
    for (let decision = 0; decision < 4; decision++) {
      const quarantine = await quarantineOfSource(database, this.source, this.feed);
      if (quarantine.entries.length === 0) return;
      await acceptQuarantine(database, this.source, quarantine);
      await this.sync(bench, index);
    }
  }
}

/** Returns the names of different records that are not quarantined. */
async function unexplained(
  days: PublishedDays,
  upgraded: ListedContents,
  fresh: ListedContents,
): Promise<string[]> {
  const { partsWithMissing, contentNames, partsThatFollow } = await quarantineOfSource(
    database,
    days.source,
    days.feed,
  );
  return [...contentDifferences(upgraded, fresh).keys()].filter((name) => {
    const part = (upgraded.get(name) ?? fresh.get(name))?.part ?? '';
    const isQuarantined = fresh.has(name) ? contentNames.has(name) : partsWithMissing.has(part);
    return !isQuarantined && !partsThatFollow.has(part);
  });
}

/** Returns the counts of a run that changed one content to the other. */
function countsBetween(before: ListedContents, after: ListedContents) {
  const names = [...contentDifferences(before, after).keys()];
  return {
    added: names.filter((name) => !before.has(name)).length,
    changed: names.filter((name) => before.has(name) && after.has(name)).length,
    withdrawn: names.filter((name) => !after.has(name)).length,
  };
}

/** @param publishings publications of each vendor in their order */
export function testFreshEqualsUpgraded(publishings: readonly Publishing[]): void {
  test('has a format of each source', () => {
    expect(new Set(formats.map(({ source }) => source))).toEqual(new Set(Object.keys(vendorFeeds)));
  });

  test.each(formats)(
    'lists of each publication in the format of $name what a database lists that reads no other',
    { timeout: 300_000 },
    async (format) => {
      const { source } = format;
      const feed = vendorFeeds[source];
      if (feed === undefined) throw new Error(`${source} has no feed`);
      const days = new PublishedDays(source, feed, await vendorPublications(format, publishings));
      const fresh = new Map<Publishing['records'], ListedContents>();
      for (const [index, { records }] of days.publications.entries())
        if (!fresh.has(records)) fresh.set(records, await days.fromNothing(index));
      for (const { size } of fresh.values()) expect(size).toBeGreaterThanOrEqual(3);
      database = await open();
      const bench = await SyncBench.open(database);
      let before: ListedContents = new Map();
      for (const [index, { name, records }] of days.publications.entries()) {
        const run = await days.sync(bench, index);
        const expected = fresh.get(records) ?? new Map();
        expect(
          await unexplained(days, await listedContents(database, feed), expected),
          name,
        ).toEqual([]);
        const { entries } = await quarantineOfSource(database, source, feed);
        expect(run, name).toMatchObject(entries.length > 0 ? {} : countsBetween(before, expected));
        await days.accept(bench, index);
        const upgraded = await listedContents(database, feed);
        expect([...contentDifferences(upgraded, expected)], name).toEqual([]);
        before = expected;
      }
      await bench.close();
    },
  );
}
