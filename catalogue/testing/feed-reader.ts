/** Reads a feed over its fixtures, over a publication that differs from them, or from one text, for tests. */
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, Entry, Feed, FeedItem, Publication, RiskItem } from '../definition/feed.ts';
import { collect } from './collect.ts';
import { documentFrom } from './document-from.ts';
import { findPart } from './find-part.ts';
import { type PublicationOptions, publicationFrom } from './publication-from.ts';
import { readAllItems } from './read-all-items.ts';
import { findFixtures } from './vendor-fixtures.ts';

/** Returns a text to serve, an error to throw, or null when nothing is published; undefined serves the fixture. */
export type Instead = (url: string) => string | Uint8Array | Error | null | undefined;

export interface Differing extends Publication {
  /** The requested addresses, in order. */
  readonly requested: string[];
  readonly distrusted: string[];
}

const checksum = /[\da-f]{40,}/;

export function createReader(feed: Feed, options: PublicationOptions = {}) {
  const fixtures = publicationFrom(findFixtures(feed), options);
  const readings = async (key: string, publication: Publication = fixtures) => {
    const part = findPart(feed, key);
    return readAllItems(part, await part.contents(publication));
  };
  return {
    fixtures,
    readings,
    entries: async (key: string, publication?: Publication) =>
      indexEntries(await readings(key, publication)),
    said: async (key: string, publication?: Publication) =>
      formatMessages(await readings(key, publication)),
    /** Returns the addresses of a part's documents without checksums, and whether they are complete. */
    documents: async (key: string, publication: Publication = fixtures) => {
      const { documents, isComplete } = await findPart(feed, key).contents(publication);
      return [...documents.map(({ url }) => url.replace(checksum, 'sum')), isComplete];
    },
    readText: (key: string, url: string, text: string | Uint8Array) =>
      collect(findPart(feed, key).read({ documents: [documentFrom(url, text)], isComplete: true })),
    instead: (instead: Instead, more: Partial<Publication> = {}) =>
      replaceDocuments({ ...fixtures, ...more }, instead),
  };
}

function replaceDocuments(publication: Publication, instead: Instead): Differing {
  const requested: string[] = [];
  const distrusted: string[] = [];
  return {
    ...publication,
    requested: requested,
    distrusted,
    distrust: async (url) => void distrusted.push(url),
    async open(url, options): Promise<Document> {
      requested.push(url);
      const served = instead(url);
      if (served === undefined) return publication.open(url, options);
      if (served === null) throw new NotPublished(url);
      if (served instanceof Error) throw served;
      const document = documentFrom(url, served);
      await options?.readThrough?.(document);
      return document;
    },
  };
}

/** Returns entries by key. */
export function indexEntries(readings: readonly FeedItem[]): Map<string, Entry> {
  const entries = readings.filter((reading) => reading.kind === 'entry');
  return new Map(entries.map((entry) => [entry.key, entry]));
}

/**
 * Returns a line for each remark and rejection; a rejection ends with the keys of the rows that it protects, when it states them.
 * Leaves out remarks on dates in the future, because the fixtures are of 2031.
 */
export function formatMessages(readings: readonly (FeedItem | RiskItem)[]): string[] {
  return readings.flatMap((reading) => {
    if (reading.kind === 'remark') return reading.until === undefined ? reading.remark : [];
    if (reading.kind !== 'rejection') return [];
    const { rejected, reason, keys } = reading;
    return `${rejected}: ${reason}${keys === undefined ? '' : ` [${keys.join(' ')}]`}`;
  });
}

/**
 * Combines row and detail, without empty values. Rows of tables become lines of their values: - for null, ? for a missing value,
 * 1… for a checksum of ones.
 */
export function formatEntry(entry: Entry | undefined): Record<string, unknown> {
  const values = Object.entries({ ...entry?.row, ...entry?.detail } as Record<string, unknown>);
  const stated = values.filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  const formatRows = (name: string, rows: readonly object[]) => {
    const columns = Object.keys(entry?.list.detail.tables[name]?.fields ?? {});
    return rows.map((row) => formatLine(columns.map((column) => Reflect.get(row, column))));
  };
  return Object.fromEntries(
    stated.map(([name, value]) => [name, isTable(value) ? formatRows(name, value) : value]),
  );
}

const isTable = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && typeof value[0] === 'object';

export const formatLine = (row: object): string =>
  Object.values(row)
    .map((value) =>
      String(value === undefined ? '?' : (value ?? '-')).replace(/(.)\1{39,}$/, '$1…'),
    )
    .join(' ');
