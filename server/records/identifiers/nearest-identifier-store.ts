/**
 * Suggests identifiers that have records and are nearest to one that has none: neighbours in the ordered indexes of names, and for a CVE
 * those that differ in the last digits. Each statement scans a limited number of rows.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  listSpellings,
  parseTypedIdentifier,
} from '@patch/catalogue/schemas/shared-identifiers.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { isNamedSql } from '../../platform/database/searched-relation.ts';
import { createCallerLeftError } from '../search/search-limit.ts';

interface NearIdentifier {
  readonly identifier: string;
  /** Key of the first of the searched lists that has it. */
  readonly list: string;
}

const maxNearest = 6;
/** Rows of an index that are scanned in each direction. */
const maxScanned = 2_000;

const NearRow = z.object({ name: z.string(), list: z.string() });
type NearRow = z.infer<typeof NearRow>;

/**
 * Returns the nearest identifiers first, none for a text without a number.
 *
 * @param lists keys, in the order of preference
 * @throws AppError `caller_left`
 */
export async function findNearestIdentifiers(
  database: Queryable,
  lists: readonly string[],
  typed: string,
  signal: AbortSignal,
): Promise<NearIdentifier[]> {
  const written = typed.trim();
  const target = fold(parseTypedIdentifier(written) ?? written);
  if (createFormPattern(target) === null) return [];
  if (signal.aborted) throw createCallerLeftError();
  const near = target.startsWith('cve-')
    ? await findNearCves(database, lists, target)
    : await findNearNames(database, lists, target, signal);
  const found = new Map<string, NearIdentifier>();
  for (const { name, list } of near.toSorted(
    (a, b) => lists.indexOf(a.list) - lists.indexOf(b.list),
  )) {
    const identifier = normalizeSpelling(target, name);
    if (!found.has(identifier)) found.set(identifier, { identifier, list });
  }
  return [...found.values()]
    .toSorted((a, b) => compareDistance(target, a.identifier, b.identifier))
    .slice(0, maxNearest);
}

/** Returns a CVE in capitals, a KB with its letters, and other names as the vendor writes them. */
function normalizeSpelling(target: string, name: string): string {
  return /^(cve-|kb\d)/.test(target) ? (parseTypedIdentifier(name) ?? name) : name;
}

/** Finds names of the same form before and after the target in the indexes of names. */
async function findNearNames(
  database: Queryable,
  lists: readonly string[],
  target: string,
  signal: AbortSignal,
): Promise<readonly NearRow[]> {
  const names: NearRow[] = [];
  for (const column of ['identifier', 'alias']) {
    for (const written of listSpellings(target)) {
      if (signal.aborted) throw createCallerLeftError();
      const text = [neighboursSql(column, '<', 'desc'), neighboursSql(column, '>', 'asc')].join(
        ' union all ',
      );
      const values = [written, createFormPattern(written), arrayText(lists)];
      names.push(...(await queryRows(database, NearRow, text, values)));
    }
  }
  return names;
}

/** Returns SQL of distinct names, each with the first list that has it. */
function neighboursSql(column: string, sign: '<' | '>', direction: 'asc' | 'desc'): string {
  const folded = `${column}_folded`;
  return `(select name, list from (select distinct on (folded) name, list, folded from (
        select ${column} as name, ${folded} as folded, list from record
        where ${folded} ${sign} $1::text order by ${folded} ${direction} limit ${maxScanned}) as passed
      where folded ~ $2::text and list = any($3::text[])
      order by folded ${direction}, array_position($3::text[], list)) as neighbour
    order by folded ${direction} limit ${maxNearest})`;
}

/** Finds CVEs of the same form in records that differ in the last digit or, if there are none, in the last two digits. */
async function findNearCves(
  database: Queryable,
  lists: readonly string[],
  target: string,
): Promise<readonly NearRow[]> {
  for (const length of [target.length - 1, target.length - 2]) {
    const start = target.slice(0, length);
    const rows = await queryRows(
      database,
      NearRow,
      `select cve_folded as name, hit.list from vulnerability cross join lateral (
          select list from record where ${isNamedSql('vulnerability.cve_folded')} and list = any($4::text[])
          order by array_position($4::text[], list) limit 1) as hit
        where cve_folded >= $1::text and cve_folded < $2::text and cve_folded ~ $3::text`,
      // The colon is the character after the digits.
      [`${start}0`, `${start}:`, createFormPattern(target), arrayText(lists)],
    );
    if (rows.length > 0) return rows;
  }
  return [];
}

/** Returns an SQL regular expression for the same text with other numbers of the same lengths; null for a text without a number. */
export function createFormPattern(identifier: string): string | null {
  if (!/\d/.test(identifier)) return null;
  const parts = identifier.split(/(\d+)/);
  const written = parts.map((part, index) =>
    index % 2 === 1 ? `[0-9]{${part.length}}` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return `^${written.join('')}$`;
}

/** Compares two identifiers by their distance to the target. The first number decides, then the next. */
export function compareDistance(target: string, left: string, right: string): number {
  const [a, b] = [parseNumbers(left), parseNumbers(right)];
  for (const [index, number] of parseNumbers(target).entries()) {
    const difference = distance(number, a[index]) - distance(number, b[index]);
    if (difference !== 0) return difference;
  }
  return left < right ? -1 : Number(left > right);
}

const parseNumbers = (identifier: string): readonly number[] =>
  (identifier.match(/\d+/g) ?? []).map(Number);

const distance = (from: number, to = Number.MAX_VALUE) => Math.abs(from - to);
