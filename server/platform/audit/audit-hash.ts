/** What chains the entries of the audit log: each one's hash is of the hash before and of everything that the entry says, with a key. */
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import type { AuditKey } from './audit-key.ts';

export interface WrittenEntry {
  readonly id: number;
  readonly time: number;
  readonly userId: number | null;
  readonly userName: string | null;
  readonly keyName: string | null;
  readonly clientId: number | null;
  readonly clientName: string | null;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly parameters: string | null;
  readonly address: string;
  readonly requestId: string;
  readonly outcome: 'done' | 'refused' | 'failed';
  readonly code: string;
}

/** As JSON, so that no two entries read alike. The order is part of what is kept. Without a key only for entries of earlier versions. */
export function auditHash(key: AuditKey | null, previousHash: string, entry: WrittenEntry): string {
  const { id, time, userId, userName, keyName, clientId, clientName, action, subject } = entry;
  const { before, after, parameters, address, requestId, outcome, code } = entry;
  const said = [id, time, userId, userName, keyName, clientId, clientName, action, subject];
  const how = [before, after, parameters, address, requestId, outcome, code];
  const text = JSON.stringify([previousHash, ...said, ...how]);
  return key === null ? sha256Hex(text) : key.hash(text);
}
