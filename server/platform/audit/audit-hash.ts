/** Chains the entries of the audit log: each hash covers the previous hash and all fields of the entry, with a key. */
import { z } from 'zod';
import { openWord } from '../database/plain-rows.ts';
import type { AuditKey } from './audit-key.ts';

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
