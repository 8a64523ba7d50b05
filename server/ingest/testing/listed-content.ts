/** Reads the listed records of a source without ids and times, to compare two databases. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** A stored record: every column of the table, and the detail. */
export interface ListedContent {
  readonly part: string;
  readonly columns: Readonly<Record<string, unknown>>;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Records by list and natural key. */
export type ListedContents = ReadonlyMap<string, ListedContent>;

const stamps = [
  'id',
  'natural_key',
  'part',
  'created_time',
  'updated_time',
  'revision',
  'withdrawn_time',
  'detail',
];

export async function listedContents(database: Database, { fills }: Feed): Promise<ListedContents> {
  const contents = new Map<string, ListedContent>();
  for (const { key: list } of fills) {
    const rows = await queryRows(
      database,
      z.looseObject({
        natural_key: z.string(),
        part: z.string(),
        detail: jsonObject,
      }),
      `select * from ${list} where withdrawn_time is null order by natural_key`,
    );
    for (const row of rows) {
      const columns = Object.fromEntries(
        Object.entries(row).filter(([name]) => !stamps.includes(name)),
      );
      contents.set(`${list} ${row.natural_key}`, { part: row.part, columns, detail: row.detail });
    }
  }
  return contents;
}

/** Returns the different values of two contents by list and natural key; undefined for a record that is not listed. */
export function contentDifferences(
  left: ListedContents,
  right: ListedContents,
): Map<string, readonly [unknown, unknown]> {
  const names = new Set([...left.keys(), ...right.keys()]);
  const differences = new Map<string, readonly [unknown, unknown]>();
  for (const name of names) {
    const [a, b] = [left.get(name), right.get(name)];
    const difference = a && b ? findDifference(a, b) : ([a && 'listed', b && 'listed'] as const);
    if (difference !== null) differences.set(name, difference);
  }
  return differences;
}

function findDifference(
  left: ListedContent,
  right: ListedContent,
): readonly [object, object] | null {
  const flat = ({ part, columns, detail }: ListedContent): Record<string, unknown> => ({
    part,
    ...columns,
    ...Object.fromEntries(Object.entries(detail).map(([name, value]) => [`detail.${name}`, value])),
  });
  const [a, b] = [flat(left), flat(right)];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]),
  );
  if (names.length === 0) return null;
  const picked = (all: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, all[name]]));
  return [picked(a), picked(b)];
}
