/** The rows of a list as a document: one JSON object a line, in the order of their natural keys. */

import type { Document } from '../definition/feed.ts';
import type { ListDefinition } from '../definition/list-definition.ts';
import { BrokenDocument, documentOf } from './document-of.ts';
import { sha256Hex } from './sha256.ts';

export interface ListedRecord {
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** 'list:kb_repository': no address that could be fetched. */
export function addressOfList(list: ListDefinition): string {
  return `list:${list.key}`;
}

/** `lines` gives the records as JSON, without line ends, each time it is called. Its size is 0: it has not been fetched. */
export function documentOfLines(
  list: ListDefinition,
  sha256: string,
  lines: () => AsyncIterable<string> | Iterable<string>,
): Document {
  async function* served(): AsyncIterable<Uint8Array> {
    for await (const line of lines()) yield Buffer.from(`${line}\n`);
  }
  return documentOf({ url: addressOfList(list), sha256, size: 0, lastModified: null }, served);
}

/** Of records at hand. */
export function listDocument(list: ListDefinition, records: readonly ListedRecord[]): Document {
  const inOrder = records.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const lines = inOrder.map(({ key, row, detail }) => JSON.stringify({ key, row, detail }));
  return documentOfLines(list, sha256Hex(lines.join('\n')), () => lines);
}

/** Throws BrokenDocument on a line that is no record. */
export async function* readListDocument(document: Document): AsyncGenerator<ListedRecord> {
  let rest = '';
  for await (const chunk of document.chunks()) {
    // Only a line feed ends a line: JSON leaves U+2028 in texts.
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield recordOf(line, document.url);
  }
  if (rest !== '') throw new BrokenDocument(document.url, 'it breaks off within a line');
}

function recordOf(line: string, url: string): ListedRecord {
  try {
    return JSON.parse(line) as ListedRecord;
  } catch (error) {
    throw new BrokenDocument(url, `a line is not JSON: ${line.slice(0, 80)}`, { cause: error });
  }
}
