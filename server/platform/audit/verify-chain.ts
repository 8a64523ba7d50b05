/** Verifies the audit log from beginning to end, and finds the first changed or missing entry. */
import { setImmediate as others } from 'node:timers/promises';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { AuditVerification } from '@patch/contract/operations/audit-endpoints.ts';
import type { Queryable } from '../database/database.ts';
import type { Anchor } from './audit-anchor.ts';
import { type AuditKey, auditHash } from './audit-hash.ts';
import {
  type AuditChain,
  actorFolded,
  auditChain,
  entriesAfter,
  type StoredEntry,
} from './audit-store.ts';

const pageSize = 1000;

export type Verification = Omit<AuditVerification, 'verifiedAt'>;

/** Does not check entries that are added meanwhile. `anchors` are hashes stored outside the database at the time of writing. */
export async function verifyChain(
  database: Queryable,
  key: AuditKey,
  anchors: readonly Anchor[],
): Promise<Verification> {
  const noted = new Map(anchors.map(({ id, hash }) => [id, hash]));
  for (;;) {
    const chain = await auditChain(database);
    const found = await verifyFrom(database, { key, noted }, chain);
    // Entries that the retention removes meanwhile do not count as missing.
    if (found.intact || (await auditChain(database)).removedId === chain.removedId) return found;
  }
}

interface VerificationContext {
  readonly key: AuditKey;
  /** Hashes by entry. */
  readonly noted: ReadonlyMap<number, string>;
}

async function verifyFrom(
  database: Queryable,
  { key, noted }: VerificationContext,
  { removedId, removedHash, lastId, lastHash }: AuditChain,
): Promise<Verification> {
  let [id, hash] = [removedId, removedHash];
  let [otherKey, anchored] = [0, 0];
  const toResult = (firstBroken: Verification['firstBroken']): Verification => ({
    intact: firstBroken === null,
    checked: id - removedId,
    otherKey,
    anchored,
    firstBroken,
    firstId: removedId + 1,
    lastId,
    lastHash,
  });
  while (id < lastId) {
    const page = await entriesAfter(database, id, Math.min(pageSize, lastId - id));
    if (page.length === 0) return toResult({ id: id + 1, reason: describeMissing(id + 1, lastId) });
    for (const entry of page) {
      const reason =
        entry.id === id + 1
          ? findFault(entry, hash, { key, noted })
          : describeMissing(id + 1, entry.id - 1);
      if (reason !== null) return toResult({ id: id + 1, reason });
      if (entry.keyId !== key.id) otherKey += 1;
      if (noted.has(entry.id)) anchored += 1;
      ({ id, hash } = entry);
    }
    await others();
  }
  if (hash !== lastHash)
    return toResult({ id: lastId, reason: 'It was rewritten: the chain has a different end.' });
  const furthest = Math.max(0, ...noted.keys());
  if (furthest > lastId)
    return toResult({
      id: lastId + 1,
      reason: `${describeMissing(lastId + 1, furthest)} They are noted in DATA_DIR.`,
    });
  return toResult(null);
}

const describeMissing = (first: number, last: number) =>
  first === last ? `Entry ${first} is missing.` : `The entries ${first} to ${last} are missing.`;

function findFault(
  entry: StoredEntry,
  previousHash: string,
  { key, noted }: VerificationContext,
): string | null {
  if (entry.previousHash !== previousHash)
    return 'It does not follow from the previous entry: one of the two was rewritten.';
  if (entry.keyId === '') return 'It has no key: it was rewritten.';
  // An entry with another key is checked by its position in the chain only: `otherKey` counts these.
  if (entry.keyId === key.id && entry.hash !== auditHash(key, previousHash, entry))
    return 'It was changed after it was written.';
  const anchor = noted.get(entry.id);
  if (anchor !== undefined && anchor !== entry.hash)
    return 'It is not the one that was noted in DATA_DIR when it was written.';
  const found =
    entry.actorFolded === actorFolded(entry) && entry.subjectFolded === fold(entry.subject);
  return found ? null : 'Its searchable text was changed.';
}
