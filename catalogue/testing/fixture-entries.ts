/** Reads a feed from its fixtures. */
import { NotPublished } from '../definition/document-errors.ts';
import type { Entry, Feed, FeedItem, Part } from '../definition/feed.ts';
import { collect } from './collect.ts';
import { publicationFrom } from './publication-from.ts';
import { findFixtures } from './vendor-fixtures.ts';

/** Returns null for a part without fixtures. */
export async function readFixtures(feed: Feed, part: Part): Promise<FeedItem[] | null> {
  const publication = publicationFrom(findFixtures(feed));
  try {
    return await collect(part.read(await part.contents(publication)));
  } catch (error) {
    if (error instanceof NotPublished) return null;
    throw error;
  }
}

export async function fixtureItems(feed: Feed): Promise<FeedItem[]> {
  const read = await Promise.all(feed.parts.map((part) => readFixtures(feed, part)));
  return read.flatMap((readings) => readings ?? []);
}

export async function fixtureEntries(feed: Feed): Promise<Entry[]> {
  return (await fixtureItems(feed)).filter((reading) => reading.kind === 'entry');
}
