/** The key of the audit chain, derived from the service's key outside the database: database access alone is not enough to rewrite the log. */
import { createHash, createHmac } from 'node:crypto';
import type { SecretBox } from '../secrets/secret-box.ts';

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
