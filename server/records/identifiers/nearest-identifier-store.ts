/**
 * Identifiers with records that are nearest to one without: neighbours in the ordered indexes of what records are called, and for a
 * CVE those that differ in their last digits. Each statement passes a bounded number of rows.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { spellingsOf, typedIdentifier } from '@patch/catalogue/schemas/shared-identifiers.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { callerLeft } from '../search/search-limit.ts';
import { compareDistance, formPattern } from './identifier-form.ts';

export interface NearIdentifier {
  readonly identifier: string;
  /** Key of a list in which it is found: the first of those that were asked. */
  readonly list: string;
}

const maxNearest = 6;
/** Rows of an index that are passed in each direction. */
const maxPassed = 2_000;

const NearRow = z.object({ name: z.string(), list: z.string() });
type NearRow = z.infer<typeof NearRow>;

/** Nearest first. Empty for a text without a number. `lists`: keys, in their order. Throws an AppError when the caller leaves. */
export async function nearestIdentifiers(
  database: Queryable,
  lists: readonly string[],
  typed: string,
  signal: AbortSignal,
): Promise<NearIdentifier[]> {
  const written = typed.trim();
  const asked = fold(typedIdentifier(written) ?? written);
  if (formPattern(asked) === null) return [];
  if (signal.aborted) throw callerLeft();
  const near = asked.startsWith('cve-')
    ? await mentionedNear(database, lists, asked)
    : await calledNear(database, lists, asked, signal);
  const found = new Map<string, NearIdentifier>();
  for (const { name, list } of near.toSorted(
    (a, b) => lists.indexOf(a.list) - lists.indexOf(b.list),
  )) {
    const identifier = spelling(asked, name);
    if (!found.has(identifier)) found.set(identifier, { identifier, list });
  }
  return [...found.values()]
    .toSorted((a, b) => compareDistance(asked, a.identifier, b.identifier))
    .slice(0, maxNearest);
}

/** A CVE in capitals, a KB with its letters, all else as the vendor writes it. */
function spelling(asked: string, name: string): string {
  return /^(cve-|kb\d)/.test(asked) ? (typedIdentifier(name) ?? name) : name;
}

/** Names of records of the same form, from both sides of the asked one. */
async function calledNear(
  database: Queryable,
  lists: readonly string[],
  asked: string,
  signal: AbortSignal,
): Promise<readonly NearRow[]> {
  const names: NearRow[] = [];
  for (const column of ['identifier', 'alias']) {
    for (const written of spellingsOf(asked)) {
      if (signal.aborted) throw callerLeft();
      const text = [neighboursSql(column, '<', 'desc'), neighboursSql(column, '>', 'asc')].join(
        ' union all ',
      );
      const values = [written, formPattern(written), arrayText(lists)];
      names.push(...(await queryRows(database, NearRow, text, values)));
    }
  }
  return names;
}

/** Each name once, of the first list that has it. */
function neighboursSql(column: string, sign: '<' | '>', direction: 'asc' | 'desc'): string {
  const folded = `${column}_folded`;
  return `(select name, list from (select distinct on (folded) name, list, folded from (
        select ${column} as name, ${folded} as folded, list from record
        where ${folded} ${sign} $1::text order by ${folded} ${direction} limit ${maxPassed}) as passed
      where folded ~ $2::text and list = any($3::text[])
      order by folded ${direction}, array_position($3::text[], list)) as named
    order by folded ${direction} limit ${maxNearest})`;
}

/** CVEs of the same form that records mention and that differ in the last digit; else in the last two. */
async function mentionedNear(
  database: Queryable,
  lists: readonly string[],
  asked: string,
): Promise<readonly NearRow[]> {
  for (const length of [asked.length - 1, asked.length - 2]) {
    const start = asked.slice(0, length);
    const rows = await queryRows(
      database,
      NearRow,
      `select cve_folded as name, hit.list from vulnerability cross join lateral (
          select list from record where string_to_array(names, E'\\n') && array[vulnerability.cve_folded] and list = any($4::text[])
          order by array_position($4::text[], list) limit 1) as hit
        where cve_folded >= $1::text and cve_folded < $2::text and cve_folded ~ $3::text`,
      // The colon is the character after the digits.
      [`${start}0`, `${start}:`, formPattern(asked), arrayText(lists)],
    );
    if (rows.length > 0) return rows;
  }
  return [];
}
