/** Provides the listed rows of a list as a document, from which another part of the same source is derived. */
import { createHash } from 'node:crypto';
import type { Document } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { documentOfLines } from '@patch/catalogue/parsers/list-document.ts';
import { ownHash } from '../../platform/database/concluded-content.ts';
import type { Database } from '../../platform/database/database.ts';
import { readFingerprints, readListedRecords } from '../../platform/database/list-record-store.ts';

/** Reads keys and content hashes now, and records when the document is read. Conclusions about the records do not change its hash. */
export async function createListDocument(
  database: Database,
  list: ListDefinition,
): Promise<Document> {
  const hash = createHash('sha256');
  for await (const { key, contentHash } of readFingerprints(database, list))
    hash.update(`${JSON.stringify([key, ownHash(contentHash)])}\n`);
  return documentOfLines(list, hash.digest('hex'), async function* () {
    for await (const record of readListedRecords(database, list)) yield JSON.stringify(record);
  });
}
