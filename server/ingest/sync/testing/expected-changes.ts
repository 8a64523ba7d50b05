/** What the change log has to say of two states, worked out from what a feed reads of each, and what it does say. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import {
  type ReadRecord,
  recordsOf,
  type StateReading,
} from '@patch/catalogue/testing/successors/state-reading.ts';
import type { RunChange } from '@patch/contract/run-endpoints.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import type { Database } from '../../../platform/database/database.ts';
import { NaturalKeyRow } from '../../../platform/database/list-row.ts';
import { queryRows } from '../../../platform/database/query-rows.ts';
import { changesPage } from '../run-record-store.ts';

/** By list and natural key. A record that comes again is one that was added. */
export type Changes = Readonly<
  Record<
    string,
    { readonly kind: 'added' | 'changed' | 'withdrawn'; readonly fields: RunChange['fields'] }
  >
>;

export function expectedChanges(feed: Feed, before: StateReading, after: StateReading): Changes {
  const [was, is] = [recordsOf(before), recordsOf(after)];
  const changes: Record<string, Changes[string]> = {};
  for (const name of was.keys())
    if (!is.has(name)) changes[name] = { kind: 'withdrawn', fields: {} };
  for (const [name, record] of is) {
    const known = was.get(name);
    if (known === undefined) changes[name] = { kind: 'added', fields: {} };
    else if (known.hash !== record.hash)
      changes[name] = { kind: 'changed', fields: differingFields(feed, known, record) };
  }
  return changes;
}

function differingFields({ fills }: Feed, was: ReadRecord, is: ReadRecord): RunChange['fields'] {
  const tables = fills.find(({ key }) => key === is.list)?.detail.tables ?? {};
  const valuesOf = ({ row, detail }: ReadRecord) =>
    new Map<string, unknown>([...Object.entries(row), ...Object.entries(detail)]);
  const [before, after] = [valuesOf(was), valuesOf(is)];
  const fields: RunChange['fields'] = {};
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, present] = [withoutNothing(before.get(name)), withoutNothing(after.get(name))];
    if (JSON.stringify(old) === JSON.stringify(present)) continue;
    fields[name] = Object.hasOwn(tables, name)
      ? rowCounts(old, present)
      : { was: cut(old), is: cut(present) };
  }
  return fields;
}

/** Nothing said, null and a list of none are the same. */
function withoutNothing(value: unknown): unknown {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0))
    return null;
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([, inner]) => withoutNothing(inner) !== null);
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function rowCounts(was: unknown, is: unknown): { was: string; is: string } {
  const [before, after] = [was, is].map((table) => (Array.isArray(table) ? table.length : 0));
  return {
    was: `${before} rows`,
    is: before === after ? `${after} rows, not the same` : `${after} rows`,
  };
}

const cut = (value: unknown) =>
  typeof value === 'string' && value.length > 500 ? `${value.slice(0, 500)}…` : value;

export async function loggedChanges(
  database: Database,
  run: Pick<Run, 'id'>,
  feed: Feed,
): Promise<Changes> {
  const { rows } = await changesPage(database, run.id, 0, 1000);
  const keys = await keysOfRows(database, feed);
  return Object.fromEntries(
    rows.map(({ list, rowId, kind, fields }) => {
      const told = Object.entries(fields).map(([name, { was, is }]) => [
        name,
        { was: withoutNothing(was), is: withoutNothing(is) },
      ]);
      const returned = kind === 'returned';
      return [
        `${list} ${keys.get(`${list} ${rowId}`)}`,
        { kind: returned ? 'added' : kind, fields: returned ? {} : Object.fromEntries(told) },
      ];
    }),
  );
}

/** Natural keys by list and row id. */
async function keysOfRows(database: Database, { fills }: Feed): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const { key: list } of fills) {
    const rows = await queryRows(database, NaturalKeyRow, `select id, natural_key from ${list}`);
    for (const { id, natural_key } of rows) keys.set(`${list} ${id}`, natural_key);
  }
  return keys;
}
