/** Laws for every feed: a new one is tested before its author writes a test. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Entry, type Feed, NotPublished, type Part, type Reading } from './definition/feed.ts';
import { type SourceKey, sourceKeys } from './definition/sources.ts';
import { feeds } from './feeds.ts';
import { catalogueLists } from './lists.ts';
import { allOf } from './testing/all-of.ts';
import { complaintsOf } from './testing/complaints-of.ts';
import { publicationFrom } from './testing/publication-from.ts';

const vendorFolders: Record<SourceKey, string> = {
  wsus: 'windows',
  ubuntu: 'ubuntu',
  centOs: 'centos',
  opensuse: 'opensuse',
  debian: 'debian',
  pardus: 'pardus',
  mac: 'macos',
  oracleLinux: 'oraclelinux',
  thirdParty: 'thirdparty',
  almaLinux: 'almalinux',
  rockyLinux: 'rockylinux',
};

/** Null for a part that the fixtures leave out. */
async function readFixtures(source: SourceKey, part: Part): Promise<Reading[] | null> {
  const publication = publicationFrom(new URL(`./vendors/${vendorFolders[source]}/fixtures/`, import.meta.url));
  try {
    return await allOf(part.read(await part.contents(publication)));
  } catch (error) {
    if (error instanceof NotPublished) return null;
    throw error;
  }
}

async function fixtureEntries(source: SourceKey, feed: Feed): Promise<Entry[]> {
  const read = await Promise.all(feed.parts.map((part) => readFixtures(source, part)));
  return read.flatMap((readings) => readings ?? []).filter((reading) => 'key' in reading);
}

test('every vendor folder with a feed has it registered, with fixtures and a readme', () => {
  for (const source of sourceKeys) {
    const folder = new URL(`./vendors/${vendorFolders[source]}/`, import.meta.url);
    const hasFeed = readdirSync(folder).some((name) => name.endsWith('-feed.ts'));
    expect(hasFeed, `${vendorFolders[source]}/…-feed.ts and feeds.ts`).toBe(feeds[source] !== undefined);
    if (!hasFeed) continue;
    for (const needed of ['fixtures', 'readme.md'])
      expect(existsSync(new URL(needed, folder)), `${vendorFolders[source]}/${needed}`).toBe(true);
  }
});

describe.each(Object.entries(feeds) as [SourceKey, Feed][])('the feed %s', (source, feed) => {
  test('says where its publication is and when it is read', () => {
    expect(feed.homepage).toMatch(/^https:\/\/\S+$/);
    expect(feed.schedule).toMatch(/^([\d*,/-]+ ){4}[\d*,/-]+$/);
    expect(feed.version).toBeGreaterThan(0);
  });

  test('fills lists of its own source', () => {
    expect(feed.fills.length).toBeGreaterThan(0);
    for (const list of feed.fills) {
      expect(catalogueLists.map(({ key }) => key)).toContain(list.key);
      expect(list.source).toBe(source);
    }
  });

  test('has parts that differ in key and label', () => {
    for (const property of ['key', 'label'] as const) {
      const all = feed.parts.map((part) => part[property]);
      expect(new Set(all).size).toBe(all.length);
      for (const one of all) expect(one).toMatch(/\S/);
    }
    expect(feed.parts.length).toBeGreaterThan(0);
  });

  test('reads its fixtures into entries that fit their lists, of every list it fills', async () => {
    const entries = await fixtureEntries(source, feed);
    expect(entries.flatMap(complaintsOf)).toEqual([]);
    expect(new Set(entries.map(({ list }) => list.key))).toEqual(new Set(feed.fills.map(({ key }) => key)));
  });

  test('gives every record a natural key of its own', async () => {
    const keys = (await fixtureEntries(source, feed)).map(({ list, key }) => `${list.key} ${key}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('reads the same twice', async () => {
    expect(await fixtureEntries(source, feed)).toEqual(await fixtureEntries(source, feed));
  });

  test('fills every field of its lists for one record at least', async () => {
    const entries = await fixtureEntries(source, feed);
    for (const list of feed.fills) {
      const rows = entries.filter((entry) => entry.list.key === list.key).map(({ row }) => row as Record<string, unknown>);
      const written = Object.entries(list.fields).filter(([, { stamped }]) => stamped === undefined);
      const never = written.filter(([name]) => rows.every((row) => (row[name] ?? null) === null)).map(([name]) => name);
      expect(never, `${list.key}: fields without a value in any fixture`).toEqual([]);
    }
  });
});
