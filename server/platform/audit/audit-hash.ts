/**
 * Chains the entries of the audit log: each hash covers the previous hash and all fields of the entry, with a key that is derived
 * from the service's key outside the database. Database access alone is not enough to rewrite the log.
 */

import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { openWord } from '../database/plain-rows.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

export const WrittenEntry = z.object({
  id: z.number(),
  time: z.number(),
  userId: z.number().nullable(),
  userName: z.string().nullable(),
  keyName: z.string().nullable(),
  clientId: z.number().nullable(),
  clientName: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  parameters: z.string().nullable(),
  address: z.string(),
  requestId: z.string(),
  /** Accepts other words too: an entry changed by other means must be read before verification can report it. */
  outcome: openWord<'done' | 'refused' | 'failed'>(),
  code: z.string(),
});
export type WrittenEntry = z.infer<typeof WrittenEntry>;

/** Hashes the fields as JSON, so that no two entries read alike. Stored hashes depend on the order of the fields. */
export function auditHash(key: AuditKey, previousHash: string, entry: WrittenEntry): string {
  const { id, time, userId, userName, keyName, clientId, clientName, action, subject } = entry;
  const { before, after, parameters, address, requestId, outcome, code } = entry;
  const subjectFields = [
    id,
    time,
    userId,
    userName,
    keyName,
    clientId,
    clientName,
    action,
    subject,
  ];
  const outcomeFields = [before, after, parameters, address, requestId, outcome, code];
  return key.hash(JSON.stringify([previousHash, ...subjectFields, ...outcomeFields]));
}

export interface AuditKey {
  /** Identifies the key without revealing it. */
  readonly id: string;
  /** HMAC-SHA-256 in hexadecimal. */
  hash(text: string): string;
}

export function auditKey(box: Pick<SecretBox, 'keyFor'>): AuditKey {
  const key = box.keyFor('patch-repository audit log');
  const id = createHash('sha256').update('audit key').update(key).digest('hex').slice(0, 16);
  return { id, hash: (text) => createHmac('sha256', key).update(text).digest('hex') };
}
