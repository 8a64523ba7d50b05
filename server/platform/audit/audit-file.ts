/** Converts entries of the audit log to their form in the API and in files: CSV for spreadsheets, JSON with all fields needed to verify the chain elsewhere. */

import { endpoints } from '@patch/contract/endpoints.ts';
import type { AuditFilter, AuditRecord } from '@patch/contract/operations/audit-endpoints.ts';
import type { ExportFormat } from '@patch/contract/records/export-endpoints.ts';
import type { Queryable } from '../database/database.ts';
import { csvLines } from '../file-export/csv-lines.ts';
import { type ChainedEntry, entriesPage } from './audit-store.ts';
import { followAction, recoveryAction, removalAction, ruleAction } from './service-entry.ts';

const pageSize = 500;

export async function* auditText(
  database: Queryable,
  format: ExportFormat,
  filter: AuditFilter,
): AsyncGenerator<string> {
  yield* format === 'csv'
    ? csvText(readPages(database, filter))
    : jsonText(readPages(database, filter));
}

async function* readPages(
  database: Queryable,
  filter: AuditFilter,
): AsyncGenerator<readonly ChainedEntry[]> {
  let olderThan: number | null = null;
  for (;;) {
    const page: readonly ChainedEntry[] = await entriesPage(database, filter, olderThan, pageSize);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    olderThan = last.id;
  }
}

type Column = readonly [label: string, cell: (entry: ChainedEntry) => string | number | null];

const columns: readonly Column[] = [
  ['Entry', ({ id }) => id],
  ['Time', ({ time }) => new Date(time).toISOString()],
  ['User', ({ userName }) => userName],
  ['API key', ({ keyName }) => keyName],
  ['Licensed client', ({ clientName }) => clientName],
  ['Action', ({ action }) => action],
  ['What it does', ({ action }) => describeAction(action)],
  ['Subject', ({ subject }) => subject],
  ['Outcome', ({ outcome }) => outcome],
  ['Reason', ({ code }) => code],
  ['Address', ({ address }) => address],
  ['Request id', ({ requestId }) => requestId],
  ['Before', ({ before }) => before],
  ['After', ({ after }) => after],
  ['Asked for', ({ parameters }) => parameters],
  ['Hash', ({ hash }) => hash],
];

/** Starts with the byte order mark by which spreadsheets recognise UTF-8. */
async function* csvText(pages: AsyncIterable<readonly ChainedEntry[]>): AsyncGenerator<string> {
  yield `\uFEFF${csvLines([columns.map(([label]) => label)])}`;
  for await (const page of pages)
    yield csvLines(page.map((entry) => columns.map(([, cell]) => cell(entry))));
}

/** Writes an array of objects, one entry per line. */
async function* jsonText(pages: AsyncIterable<readonly ChainedEntry[]>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pages) {
    yield before +
      page
        .map((entry) => JSON.stringify({ ...auditRecord(entry), previousHash: entry.previousHash }))
        .join(',\n');
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

const summaries = new Map([
  // The rest of a summary is for developers who make the call.
  ...endpoints.map(({ name, summary }) => [name, summary.split(/[;:]/, 1)[0] ?? summary] as const),
  [recoveryAction, 'An administrator is recovered at the terminal'],
  [removalAction, 'Entries whose time is over are removed'],
  [ruleAction, 'A rule makes a checkpoint'],
  [followAction, 'A ring follows its rule to a checkpoint'],
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
