/**
 * Evaluates the criterion `supersededFor` of All patches: an update of several products can be replaced for one and current for another,
 * and its row counts as superseded only when it is replaced for all.
 */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryValues } from '../../platform/database/query-rows.ts';
import type { CriterionEvaluator } from './computed-criteria.ts';
import { createValueTest } from './condition-meaning.ts';

/** Lists whose records state whether another one replaces them; of the others, nothing can be found. */
const statingLists = arrayText(
  catalogueLists.filter(({ fields }) => Object.hasOwn(fields, 'superseded')).map(({ key }) => key),
);

const products = `string_to_array(record.release_folded, E'\\n')`;

const supersededSql = `select coalesce(update_values.id, record.id) from record left join update_values using (update_key)
  where record.list = any($1::text[]) and ${products} && $2::text[]
  group by 1 having bool_and(record.superseded)`;

/** Returns the rows of All patches whose records for the products of the condition are superseded, as far as the vendor says. */
export const supersededForProducts =
  (database: Queryable): CriterionEvaluator =>
  async (condition) => {
    const names = readNames(condition) ?? (await findNames(database, condition));
    return queryValues(database, z.number(), supersededSql, [statingLists, arrayText(names)]);
  };

const readNames = (condition: Condition): readonly string[] | null => {
  if (condition.kind === 'oneOf') return condition.values.map(String);
  const isEqual = condition.kind === 'compared' && condition.comparison === '=';
  return isEqual ? [String(condition.value)] : null;
};

/** Parts of names are compared with all products. */
async function findNames(database: Queryable, condition: Condition): Promise<readonly string[]> {
  const all = await queryValues(
    database,
    z.string(),
    `select distinct unnest(${products}) from record where list = any($1::text[])`,
    [statingLists],
  );
  const test = createValueTest(condition);
  return all.filter((name) => test([name]));
}
