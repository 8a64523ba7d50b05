/** Converts an entry to its form in the API: with a summary of its action, and with parsed JSON. */

import type { AuditRecord } from '@patch/contract/audit-endpoints.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { removalAction } from './audit-retention.ts';
import type { ChainedEntry } from './audit-store.ts';
import { recoveryAction } from './recovery-action.ts';

const summaries = new Map([
  // The rest of a summary is for developers who make the call.
  ...endpoints.map(({ name, summary }) => [name, summary.split(/[;:]/, 1)[0] ?? summary] as const),
  [recoveryAction, 'An administrator is recovered at the terminal'],
  [removalAction, 'Entries whose time is over are removed'],
]);

/** Returns the name of the action when this version no longer has its call. */
export const describeAction = (action: string): string => summaries.get(action) ?? action;

export function auditRecord({
  previousHash: _previous,
  before,
  after,
  parameters,
  ...entry
}: ChainedEntry): AuditRecord {
  return {
    ...entry,
    summary: describeAction(entry.action),
    before: parseValue(before),
    after: parseValue(after),
    parameters: parseValue(parameters),
  };
}

const parseValue = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
