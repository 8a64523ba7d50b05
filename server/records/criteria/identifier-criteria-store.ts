/**
 * Evaluates the criteria of records and CVEs by identifiers: the records that mention one, and the CVEs that a record names. A criterion
 * calls records by names in every accepted spelling, and single records list/number.
 */

import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { allPatchesList } from '@patch/catalogue/records/all-patches-list.ts';
import {
  listSpellings,
  parseTypedIdentifier,
} from '@patch/catalogue/schemas/shared-identifiers.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryValues } from '../../platform/database/query-rows.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { CriterionEvaluator, CriterionEvaluators } from './computed-criteria.ts';
import { findRecordsByNames } from './records-by-name-store.ts';
import { supersededForProducts } from './superseded-products-store.ts';

const referencePattern = /^([a-z_]+)\/(\d{1,15})$/;

/** Folded. */
export interface CriterionNames {
  readonly names: readonly string[];
  readonly references: readonly { readonly list: string; readonly recordId: number }[];
}

/** Returns the names of which a record must have one; null when the condition compares parts of names. */
export function readCriterionNames(condition: Condition): CriterionNames | null {
  const values =
    condition.kind === 'oneOf'
      ? condition.values
      : condition.kind === 'compared'
        ? [condition.value]
        : null;
  return values === null ? null : readNames(values.map(String));
}

/** @param words - Folded. */
export const readNames = (words: readonly string[]): CriterionNames => ({
  names: words.flatMap(listNameSpellings),
  references: words.flatMap((word) => {
    const [, list, number] = referencePattern.exec(word) ?? [];
    return list === undefined ? [] : [{ list, recordId: Number(number) }];
  }),
});

/** @throws AppError `unknown_operator` when the condition compares parts of names. */
function requireCriterionNames(condition: Condition): CriterionNames {
  const names = readCriterionNames(condition);
  if (names !== null) return names;
  throw new AppError(
    'unknown_operator',
    `${condition.name} compares complete identifiers only. Its operators: =, !=, in, not in`,
  );
}

/** A KB may be written with a blank or without its letters, in the criterion and in a list. */
export const listNameSpellings = (name: string): readonly string[] =>
  listSpellings(parseTypedIdentifier(name) ?? name);

export const formatReference = (list: string, recordId: number): string => `${list}/${recordId}`;

export const isReference = (name: string): boolean => referencePattern.test(name);

export function identifierCriteria(database: Queryable): CriterionEvaluators {
  const mentions =
    (list: string): CriterionEvaluator =>
    async (condition) => {
      const { names } = requireCriterionNames(condition);
      return [...((await findRecordsByNames(database, names)).get(list)?.keys() ?? [])];
    };
  const namedBy: CriterionEvaluator = async (condition) => {
    const { names, references } = requireCriterionNames(condition);
    const values = [arrayText(names), ...arrayTexts(references, 'list', 'recordId')];
    return queryValues(database, z.number(), namedCvesSql, values);
  };
  return new Map<string, Readonly<Record<string, CriterionEvaluator>>>([
    ...catalogueLists.flatMap(({ key, source }) =>
      source === null ? [] : [[key, { mentions: mentions(key) }] as const],
    ),
    [getList('vulnerabilities').key, { namedBy }],
    [allPatchesList.key, { supersededFor: supersededForProducts(database) }],
  ]);
}

/** A row of All patches names the CVEs of its whole update; a record, those of its product. */
const namedCvesSql = `select id from vulnerability where withdrawn_time is null and cve_folded in (
  select unnest(string_to_array(cve_folded, E'\\n')) from record where id in (
    select id from record where identifier_folded = any($1::text[])
    union all select id from record where alias_folded = any($1::text[])
    union all select id from record where (list, record_id) in (select * from unnest($2::text[], $3::bigint[])))
  union all select unnest(string_to_array(cve_folded, E'\\n')) from all_patches where id in (
    select number from unnest($2::text[], $3::bigint[]) as given(list, number) where given.list = '${allPatchesList.key}'))`;
