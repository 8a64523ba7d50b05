/** Rules for every feed; a new feed is tested before its author writes a test. */
import { beforeAll, describe, expect, test } from 'vitest';
import { NotPublished } from './definition/document-errors.ts';
import type { Entry, Feed, OpenOptions } from './definition/feed.ts';
import { vendorFeeds } from './feeds.ts';
import { catalogueLists } from './lists.ts';
import { BrokenDocument } from './parsers/create-document.ts';
import type { SourceKey } from './sources.ts';
import { documentFrom } from './testing/document-from.ts';
import { findComplaints } from './testing/find-complaints.ts';
import { fixtureEntries, readFixtures } from './testing/fixture-entries.ts';
import { kindComplaints } from './testing/kind-complaints.ts';
import { partComplaints } from './testing/parts-without-fixtures.ts';
import { publicationFrom } from './testing/publication-from.ts';
import { findFixtures } from './testing/vendor-fixtures.ts';

/** A damaged document of one application or product concerns that one only, which is rejected or described without it. */
const isOfOneProduct = (source: SourceKey, url: string) =>
  source === 'thirdParty' || /^https:\/\/sw(?:dist|cdn)\.apple\.com\//.test(url);

describe.each(Object.entries(vendorFeeds) as [SourceKey, Feed][])('the feed %s', (source, feed) => {
  let entries: readonly Entry[];
  beforeAll(async () => {
    entries = await fixtureEntries(feed);
  });

  test('states its homepage and schedule', () => {
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

  test('accepts its example keys of other parts and refuses invalid ones', () => {
    if (feed.otherParts === undefined) return;
    const { words, toPart: partOf } = feed.otherParts;
    const examples = / such as (\S+)(?: or (\S+))?$/.exec(words)?.slice(1).filter(Boolean) ?? [];
    expect(examples.length, words).toBeGreaterThan(0);
    for (const example of examples) {
      expect(partOf(example)?.key).toBe(example);
      expect(feed.parts.map(({ key }) => key)).not.toContain(example);
      expect(feed.parts.map(({ label }) => label)).not.toContain(partOf(example)?.label);
      for (const none of [
        `${example}/..`,
        `${example}?a=b`,
        ` ${example}`,
        `${example}\n`,
        '',
        '..',
      ])
        expect(partOf(none)).toBeNull();
    }
  });

  test('reads its fixtures into valid entries of every list that it fills', () => {
    expect(entries.flatMap(findComplaints)).toEqual([]);
    expect(new Set(entries.map(({ list }) => list.key))).toEqual(
      new Set(feed.fills.map(({ key }) => key)),
    );
  });

  test('has fixtures for every part, or names the part that it is read like', async () => {
    const read = await Promise.all(
      feed.parts.map(async (part) => ({ key: part.key, readings: await readFixtures(feed, part) })),
    );
    const shown = new Set(read.filter(({ readings }) => readings !== null).map(({ key }) => key));
    expect(partComplaints(feed, shown)).toEqual([]);
  });

  test('refuses a page in place of a document that has a last copy', async () => {
    const fixtures = publicationFrom(findFixtures(feed));
    const opened = new Map<string, OpenOptions>();
    const open = async (url: string, options: OpenOptions = {}) => {
      if (options.lastGoodCopy === true) opened.set(url, options);
      return fixtures.open(url, options);
    };
    for (const part of feed.parts)
      await part.contents({ ...fixtures, open }).catch((error: unknown) => {
        if (!(error instanceof NotPublished)) throw error;
      });
    const accepted: string[] = [];
    for (const [url, { readThrough = async () => undefined }] of opened) {
      const page = documentFrom(url, '<!doctype html><html><body>Sign in</body></html>');
      await readThrough(page).then(
        () => accepted.push(url),
        (error: unknown) => expect(error).toBeInstanceOf(BrokenDocument),
      );
    }
    expect(accepted.filter((url) => !isOfOneProduct(source, url))).toEqual([]);
  });

  test('declares field kinds that match the values of its fixtures', () => {
    expect(feed.fills.flatMap((list) => kindComplaints(list, entries))).toEqual([]);
  });

  test('gives every record its own natural key', () => {
    const keys = entries.map(({ list, key }) => `${list.key} ${key}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('reads the same entries twice', async () => {
    expect(await fixtureEntries(feed)).toEqual(entries);
  });

  test('fills every field of its lists in at least one record', () => {
    for (const list of feed.fills) {
      const rows = entries
        .filter((entry) => entry.list.key === list.key)
        .map(({ row }) => row as Record<string, unknown>);
      const written = Object.entries(list.fields).filter(
        ([name, { stamped, risk, alsoVendor }]) =>
          stamped === undefined &&
          (risk === undefined || (alsoVendor === true && list.concluded?.includes(name) !== true)),
      );
      const never = written
        .filter(([name]) => rows.every((row) => (row[name] ?? null) === null))
        .map(([name]) => name);
      expect(never, `${list.key}: fields without a value in any fixture`).toEqual([]);
    }
  });
});
