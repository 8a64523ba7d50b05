/** The listed rows of a list as a document that another part of the same source is made of. */
import { createHash } from 'node:crypto';
import type { Document } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { documentOfLines } from '@patch/catalogue/parsers/list-document.ts';
import { ownHash } from '../../platform/database/concluded-content.ts';
import type { Database } from '../../platform/database/database.ts';
import { listedRecords, recordFingerprints } from '../../platform/database/list-record-store.ts';

/** Reads keys and content hashes now, and the records when the document is read. What is concluded of the records does not change it. */
export async function documentOfList(database: Database, list: ListDefinition): Promise<Document> {
  const hash = createHash('sha256');
  for await (const { key, contentHash } of recordFingerprints(database, list))
    hash.update(`${JSON.stringify([key, ownHash(contentHash)])}\n`);
  return documentOfLines(list, hash.digest('hex'), async function* () {
    for await (const record of listedRecords(database, list)) yield JSON.stringify(record);
  });
}
