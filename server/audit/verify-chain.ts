/** Reads the audit log from its beginning to its end, and finds the first entry that is not as it was written. */
import { setImmediate as others } from 'node:timers/promises';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { AuditVerification } from '@patch/contract/audit-calls.ts';
import type { Queryable } from '../database/database.ts';
import { auditHash } from './audit-hash.ts';
import { type AuditChain, auditChain, entriesAfter, type StoredEntry, whoFolded } from './audit-store.ts';

const atOnce = 1000;

export type Verification = Omit<AuditVerification, 'verifiedAt'>;

/** What is added meanwhile is not looked at. */
export async function verifyChain(database: Queryable): Promise<Verification> {
  for (;;) {
    const chain = await auditChain(database);
    const found = await verifyFrom(database, chain);
    // What the retention takes out meanwhile is missing to nobody.
    if (found.intact || (await auditChain(database)).removedId === chain.removedId) return found;
  }
}

async function verifyFrom(database: Queryable, { removedId, removedHash, lastId, lastHash }: AuditChain): Promise<Verification> {
  let [id, hash] = [removedId, removedHash];
  const told = (firstBroken: Verification['firstBroken']): Verification => ({
    intact: firstBroken === null,
    checked: id - removedId,
    firstBroken,
    firstId: removedId + 1,
    lastId,
    lastHash,
  });
  while (id < lastId) {
    const page = await entriesAfter(database, id, Math.min(atOnce, lastId - id));
    if (page.length === 0) return told({ id: id + 1, reason: missing(id + 1, lastId) });
    for (const entry of page) {
      const reason = entry.id === id + 1 ? brokenBy(entry, hash) : missing(id + 1, entry.id - 1);
      if (reason !== null) return told({ id: id + 1, reason });
      ({ id, hash } = entry);
    }
    await others();
  }
  if (hash !== lastHash) return told({ id: lastId, reason: 'It was written anew: the end of the chain is another.' });
  return told(null);
}

const missing = (first: number, last: number) =>
  first === last ? `Entry ${first} is missing.` : `The entries ${first} to ${last} are missing.`;

function brokenBy(entry: StoredEntry, previousHash: string): string | null {
  if (entry.previousHash !== previousHash) return 'It does not follow from the entry before: that one was written anew, or this one was.';
  if (entry.hash !== auditHash(previousHash, entry)) return 'It was changed after it was written.';
  const found = entry.whoFolded === whoFolded(entry) && entry.subjectFolded === fold(entry.subject);
  return found ? null : 'The words by which it is found were changed.';
}
