/**
 * Criteria on fields that no row has, such as the CVEs that a machine misses, or has only sealed. The module that knows the answer finds the
 * ids of the rows; the search then has a condition on ids in place of the criterion.
 */
import {
  getField,
  isCriterionOnly,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { isSealed } from '@patch/catalogue/definition/restricted-fields.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { Sight } from '../../platform/http/sight.ts';

/**
 * Returns the ids of the rows that meet the condition, which is never negated.
 * @param groups The groups whose machines alone exist for the caller; null: all machines.
 */
export type CriterionEvaluator = (
  condition: Condition,
  groups: Sight['groups'],
) => Promise<readonly number[]>;

/** Evaluators by the key of the list and the name of the field. */
export type CriterionEvaluators = ReadonlyMap<string, Readonly<Record<string, CriterionEvaluator>>>;

/** Returns the evaluators of several modules, which can know criteria of the same list. */
export function joinEvaluators(...all: readonly CriterionEvaluators[]): CriterionEvaluators {
  const joined = new Map<string, Readonly<Record<string, CriterionEvaluator>>>();
  for (const [list, own] of all.flatMap((evaluators) => [...evaluators]))
    joined.set(list, { ...joined.get(list), ...own });
  return joined;
}

/** The part of a search that criteria are in. */
interface Criteria {
  readonly list: ListDefinition;
  readonly conditions: readonly Condition[];
  readonly sight: Sight;
}

/** Returns whether the rows may change without a new revision of the list, so that a result must not be cached. */
export const usesComputedCriteria = ({ list, conditions, sight }: Criteria): boolean =>
  isLimited(list, sight) || conditions.some(({ name }) => isComputed(list, name));

/** The criterion on the groups of the machines that the rows of a list are. */
const groupField = 'group';

/** Returns whether some rows of the list do not exist for a person. */
export const isLimited = (list: ListDefinition, { groups }: Sight): boolean =>
  groups !== null && isOfMachines(list);

/** Returns whether the rows of the list are machines, which are of groups. */
export const isOfMachines = (list: ListDefinition): boolean => isCriterionOnly(list, groupField);

export const isComputed = (list: ListDefinition, name: string): boolean =>
  isCriterionOnly(list, name) || isSealed(list, name);

/** Returns the search with conditions on ids in place of its computed criteria. */
export async function resolveCriteria<Search extends Criteria>(
  evaluators: CriterionEvaluators,
  search: Search,
): Promise<Search> {
  if (!usesComputedCriteria(search)) return search;
  const conditions: Condition[] = [];
  for (const condition of search.conditions)
    conditions.push(
      isComputed(search.list, condition.name)
        ? await resolve(evaluators, search, condition)
        : condition,
    );
  if (isLimited(search.list, search.sight))
    conditions.push(await resolve(evaluators, search, isInGroups(search)));
  return { ...search, conditions };
}

async function resolve(
  evaluators: CriterionEvaluators,
  { list, sight }: Criteria,
  condition: Condition,
): Promise<Condition> {
  const evaluate = evaluators.get(list.key)?.[condition.name];
  if (evaluate === undefined) throw new Error(`${list.key} cannot evaluate ${condition.name} here`);
  const { positive, negated } = toPositive(condition);
  return {
    kind: 'oneOf',
    negated,
    values: await evaluate(positive, sight.groups),
    name: 'id',
    definition: getField(list, 'id'),
  };
}

const isInGroups = ({ list, sight }: Criteria): Condition => ({
  kind: 'oneOf',
  negated: false,
  values: (sight.groups ?? []).map((id) => `#${id}`),
  name: groupField,
  definition: getField(list, groupField),
});

/** A missing value satisfies negated conditions, so that a negated one matches exactly the other rows. */
function toPositive(condition: Condition): {
  readonly positive: Condition;
  readonly negated: boolean;
} {
  if (condition.kind === 'null')
    return { positive: { ...condition, negated: true }, negated: !condition.negated };
  if (condition.kind === 'compared' && condition.comparison === '!=')
    return { positive: { ...condition, comparison: '=' }, negated: true };
  if (condition.kind === 'oneOf' || condition.kind === 'like')
    return { positive: { ...condition, negated: false }, negated: condition.negated };
  return { positive: condition, negated: false };
}
