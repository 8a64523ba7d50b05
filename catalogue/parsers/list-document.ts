/** Represents the rows of a list as a document: one JSON object per line, in the order of their natural keys. */

import type { Document } from '../definition/feed.ts';
import type { ListDefinition } from '../definition/list-definition.ts';
import { BrokenDocument, createDocument } from './create-document.ts';
import { sha256Hex } from './sha256.ts';

export interface ListedRecord {
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Returns 'list:kb_repository', which is not a fetchable address. */
export function addressOfList(list: ListDefinition): string {
  return `list:${list.key}`;
}

/**
 * Creates the document; its size is 0, because it is not fetched.
 * @param lines returns the records as JSON, without line ends, at each call.
 */
export function documentOfLines(
  list: ListDefinition,
  sha256: string,
  lines: () => AsyncIterable<string> | Iterable<string>,
): Document {
  async function* served(): AsyncIterable<Uint8Array> {
    for await (const line of lines()) yield Buffer.from(`${line}\n`);
  }
  return createDocument({ url: addressOfList(list), sha256, size: 0, lastModified: null }, served);
}

/** Creates the document of records in memory. */
export function listDocument(list: ListDefinition, records: readonly ListedRecord[]): Document {
  const inOrder = records.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const lines = inOrder.map(({ key, row, detail }) => JSON.stringify({ key, row, detail }));
  return documentOfLines(list, sha256Hex(lines.join('\n')), () => lines);
}

/** Throws BrokenDocument on a line that is not a record. */
export async function* readListDocument(document: Document): AsyncGenerator<ListedRecord> {
  let rest = '';
  for await (const chunk of document.chunks()) {
    // Only a line feed ends a line: JSON permits U+2028 in texts.
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield parseRecord(line, document.url);
  }
  if (rest !== '') throw new BrokenDocument(document.url, 'it breaks off within a line');
}

function parseRecord(line: string, url: string): ListedRecord {
  try {
    return JSON.parse(line) as ListedRecord;
  } catch (error) {
    throw new BrokenDocument(url, `a line is not JSON: ${line.slice(0, 80)}`, { cause: error });
  }
}
