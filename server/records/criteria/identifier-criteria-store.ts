/** Evaluates the criteria of records and CVEs by identifiers: the records that mention one, and the CVEs that a record names. */
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { allPatchesList } from '@patch/catalogue/records/all-patches-list.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryValues } from '../../platform/database/query-rows.ts';
import type { CriterionEvaluator, CriterionEvaluators } from './computed-criteria.ts';
import { requireCriterionNames } from './criterion-names.ts';
import { findRecordsByNames } from './records-by-name-store.ts';

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
  ]);
}

/** A row of All patches names the CVEs of its whole update; a record, those of its product. */
const namedCvesSql = `select id from vulnerability where cve_folded in (
  select unnest(string_to_array(cve_folded, E'\\n')) from record where id in (
    select id from record where identifier_folded = any($1::text[])
    union all select id from record where alias_folded = any($1::text[])
    union all select id from record where (list, record_id) in (select * from unnest($2::text[], $3::bigint[])))
  union all select unnest(string_to_array(cve_folded, E'\\n')) from all_patches where id in (
    select number from unnest($2::text[], $3::bigint[]) as given(list, number) where given.list = '${allPatchesList.key}'))`;
