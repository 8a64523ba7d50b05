/** All that a database says of a source's listed records, but for ids and stamps: what two databases are held against each other by. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import { jsonObject } from '../../../platform/database/plain-rows.ts';
import { queryRows } from '../../../platform/database/query-rows.ts';

/** A record as the database has it: every column of its list's table, and its detail. */
export interface ListedContent {
  readonly part: string;
  readonly columns: Readonly<Record<string, unknown>>;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** By list and natural key. */
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
      `select ${list}.*, entry_detail.detail from ${list}
       left join entry_detail on entry_detail.list = $1 and entry_detail.row_id = ${list}.id
       where withdrawn_time is null order by natural_key`,
      [list],
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

/** Where two contents differ: by list and natural key, what the one has and what the other has; undefined where it is not listed. */
export function contentDifferences(
  one: ListedContents,
  other: ListedContents,
): Map<string, readonly [unknown, unknown]> {
  const names = new Set([...one.keys(), ...other.keys()]);
  const differences = new Map<string, readonly [unknown, unknown]>();
  for (const name of names) {
    const [mine, yours] = [one.get(name), other.get(name)];
    const difference =
      mine && yours ? differenceOf(mine, yours) : ([mine && 'listed', yours && 'listed'] as const);
    if (difference !== null) differences.set(name, difference);
  }
  return differences;
}

function differenceOf(one: ListedContent, other: ListedContent): readonly [object, object] | null {
  const flat = ({ part, columns, detail }: ListedContent): Record<string, unknown> => ({
    part,
    ...columns,
    ...Object.fromEntries(Object.entries(detail).map(([name, value]) => [`detail.${name}`, value])),
  });
  const [mine, yours] = [flat(one), flat(other)];
  const names = [...new Set([...Object.keys(mine), ...Object.keys(yours)])].filter(
    (name) => JSON.stringify(mine[name]) !== JSON.stringify(yours[name]),
  );
  if (names.length === 0) return null;
  const picked = (all: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, all[name]]));
  return [picked(mine), picked(yours)];
}
