/**
 * Identifiers with records that are nearest to one without: neighbours in the ordered index of what records are called, and for a
 * CVE those that share its first digits. Each statement passes a bounded number of rows.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { spellingsOf, typedIdentifier } from '@patch/catalogue/schemas/shared-identifiers.ts';
import { z } from 'zod';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { callerLeft } from '../search/fair-gate.ts';
import { literally } from '../search/like-pattern.ts';
import { rowsWithParts } from '../search/list-sample-store.ts';
import { compareDistance, formPattern } from './identifier-form.ts';
import type { NamingParts } from './shared-identifier-store.ts';

export interface NearIdentifier {
  readonly identifier: string;
  /** Key of the list in which it was found first. */
  readonly list: string;
}

const maxNearest = 6;
/** Rows of an index that are passed in each direction. */
const maxPassed = 1_000;
const maxInDirection = 3;
/** Rows that the index of words may name for the first digits of a CVE, and those whose words are looked at. */
const maxCandidates = 10_000;
const maxRead = 500;

const NameRow = z.object({ name: z.string() });

/** Nearest first. Empty for a text without a number. Throws an AppError when the caller leaves. */
export async function nearestIdentifiers(
  parts: NamingParts,
  lists: readonly ListDefinition[],
  typed: string,
  signal: AbortSignal,
): Promise<NearIdentifier[]> {
  const written = typed.replaceAll('\0', '').trim();
  const asked = fold(typedIdentifier(written) ?? written);
  if (formPattern(asked) === null) return [];
  const found = new Map<string, NearIdentifier>();
  for (const list of lists) {
    if (signal.aborted) throw callerLeft();
    const names = asked.startsWith('cve-')
      ? await mentionedNear(parts, list, asked)
      : await calledNear(parts, list, asked);
    for (const name of names) {
      const identifier = spelling(asked, name);
      if (!found.has(identifier)) found.set(identifier, { identifier, list: list.key });
    }
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
  { database }: NamingParts,
  list: ListDefinition,
  asked: string,
): Promise<readonly string[]> {
  const columns = list.identity
    .map((name) => columnsOfField(list, name))
    .filter(({ kind }) => kind === 'identifier');
  const names: string[] = [];
  for (const { column, folded } of columns) {
    if (folded === null) continue;
    for (const written of spellingsOf(asked)) {
      const text = (['<', '>'] as const)
        .map(
          (
            sign,
          ) => `(select name from (select ${column} as name, ${folded} as folded from ${list.key}
            where withdrawn_time is null and ${folded} ${sign} $1::text
            order by ${folded} ${sign === '<' ? 'desc' : 'asc'} limit ${maxPassed}) as passed
          where folded ~ $2::text order by folded ${sign === '<' ? 'desc' : 'asc'} limit ${maxInDirection})`,
        )
        .join(' union all ');
      const rows = await queryRows(database, NameRow, text, [written, formPattern(written)]);
      names.push(...rows.map(({ name }) => name));
    }
  }
  return names;
}

/** CVEs of the same form that records mention and that differ in the last digit; else in the last two. */
async function mentionedNear(
  { database, samples }: NamingParts,
  list: ListDefinition,
  asked: string,
): Promise<readonly string[]> {
  for (const length of [asked.length - 1, asked.length - 2]) {
    const pattern = `%${literally(asked.slice(0, length))}%`;
    if (rowsWithParts([pattern], await samples.of(list)) > maxCandidates) return [];
    const rows = await queryRows(
      database,
      NameRow,
      `select distinct line as name from (select keyword from ${list.key}
          where withdrawn_time is null and keyword like $1::text limit ${maxRead}) as candidates
        cross join lateral unnest(string_to_array(keyword, E'\\n')) as line
        where line like $1::text and line ~ $2::text`,
      [pattern, formPattern(asked)],
    );
    if (rows.length > 0) return rows.map(({ name }) => name);
  }
  return [];
}
