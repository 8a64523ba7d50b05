/**
 * Merges records with fields that another part of the feed concludes. Their content hash has two halves: one of the entry of its own
 * part, one of the conclusion.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { RecordContent } from './stored-record.ts';

const separator = '+';

/** Returns the hash of the entry of its own part. */
export const ownHash = (hash: string): string => hash.split(separator, 1)[0] ?? hash;

/** Returns null for a record without a conclusion. */
export const conclusionHash = (hash: string): string | null => hash.split(separator)[1] ?? null;

export const concludedHash = (own: string, conclusion: string): string =>
  `${own}${separator}${conclusion}`;

/** Compares only the own half when the written entry has no conclusion. */
export function isSameContent(stored: string, written: string): boolean {
  return conclusionHash(written) === null ? ownHash(stored) === written : stored === written;
}

export function withConclusion(
  list: ListDefinition,
  { row, detail }: RecordContent,
  values: Readonly<Record<string, unknown>>,
): RecordContent {
  const [fields, facts] = [true, false].map((isField) =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) => Object.hasOwn(list.fields, name) === isField),
    ),
  );
  // An unknown fact has no key, as in an entry without a conclusion.
  const known = Object.entries({ ...detail, ...facts }).filter(
    ([name, value]) => value !== null || !Object.hasOwn(facts ?? {}, name),
  );
  return {
    row: { ...row, ...fields } as RecordContent['row'],
    detail: Object.fromEntries(known) as RecordContent['detail'],
  };
}

/** Returns the new content with the concluded values of the content that it replaces. */
export function carryConclusion(
  list: ListDefinition,
  before: RecordContent,
  after: RecordContent,
): RecordContent {
  const stated = (list.concluded ?? []).filter(
    (name) => Object.hasOwn(before.row, name) || Object.hasOwn(before.detail, name),
  );
  return withConclusion(list, after, pickValues(before, stated));
}

interface KeyedContent extends RecordContent {
  readonly key: string;
  readonly contentHash: string;
}

/** Returns the entry to write, with the conclusion of the stored record if the entry has none. */
export function carryEntry(
  list: ListDefinition,
  stored: { readonly hash: string; readonly content: RecordContent | undefined },
  entry: KeyedContent,
): KeyedContent {
  const conclusion = conclusionHash(stored.hash);
  if (
    conclusion === null ||
    stored.content === undefined ||
    conclusionHash(entry.contentHash) !== null
  )
    return entry;
  return {
    key: entry.key,
    ...carryConclusion(list, stored.content, entry),
    contentHash: concludedHash(entry.contentHash, conclusion),
  };
}

export function pickValues(
  { row, detail }: RecordContent,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.map((name) => [name, (Object.hasOwn(row, name) ? row[name] : detail[name]) ?? null]),
  );
}
