/** Finds the machines of groups: those that report with a key of the group, or those that meet its criteria now. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getList } from '@patch/catalogue/lists.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { type Sight, unlimitedSight } from '../../platform/http/sight.ts';
import { createValueTest } from '../../records/criteria/condition-meaning.ts';
import type { Search } from '../../records/criteria/search-request.ts';
import { createViewSearch } from '../../records/criteria/view-criteria.ts';
import { readGroups, readReportingMachines, type StoredGroup } from './machine-group-store.ts';

const machines = getList('machines');

/** Returns the ids of all rows that a search finds. */
export type FindIds = (search: Search) => Promise<readonly number[]>;

/**
 * Returns the search for the machines that meet the criteria. Days are those of UTC, so that it finds the same for everybody.
 * @throws AppError `unaskable_criteria` for criteria that are not valid.
 */
export const searchOfMachines = (
  criteria: string,
  now: number,
  sight: Sight = unlimitedSight,
): Search =>
  createViewSearch(
    machines,
    { criteria, keyword: '' },
    { most: 1, when: { now, timeZone: 'UTC' }, sight },
  );

/**
 * Returns the search of a group.
 * @throws AppError `unaskable_criteria` also for criteria on groups, and on overdue records, whose dates are those of groups: they could
 * refer to themselves.
 */
export function searchOfGroup(criteria: string, now: number): Search {
  const search = searchOfMachines(criteria, now);
  if (search.conditions.some(({ name }) => name === 'group'))
    throw new AppError(
      'unaskable_criteria',
      'The criteria of a group cannot be on groups. Use the criteria of that group.',
    );
  if (search.conditions.some(({ name }) => name === 'overdue'))
    throw new AppError(
      'unaskable_criteria',
      'The criteria of a group cannot be on overdue records, whose due dates follow from groups.',
    );
  return search;
}

/** @throws AppError `unaskable_criteria` when the criteria are no longer valid. */
export const findMachinesOfGroup = (
  database: Queryable,
  findIds: FindIds,
  { id, criteria }: Pick<StoredGroup, 'id' | 'criteria'>,
  now: number,
): Promise<readonly number[]> =>
  criteria === null ? readReportingMachines(database, id) : findIds(searchOfGroup(criteria, now));

/** A group that is called like a number must not take the place of the group with the number. */
const numberPattern = /^#\d{1,15}$/;

const namesOf = ({ id, name }: StoredGroup): readonly string[] => [
  `#${id}`,
  ...(numberPattern.test(name) ? [] : [name]),
];

/** Returns null without a group of this name or #number. */
export async function findGroupByName(
  database: Queryable,
  name: string,
): Promise<StoredGroup | null> {
  const folded = fold(name);
  const groups = await readGroups(database);
  return groups.find((group) => namesOf(group).some((one) => fold(one) === folded)) ?? null;
}

/** @throws AppError `no_such_group` without a group of this name or #number that exists for the caller. */
export async function requireGroupByName(
  database: Queryable,
  named: string,
  { groups }: Sight,
): Promise<StoredGroup> {
  const group = await findGroupByName(database, named);
  if (group === null || groups?.includes(group.id) === false)
    throw new AppError('no_such_group', `There is no group '${named}'.`);
  return group;
}

/**
 * Returns the search for machines that something is done with. A criterion on a group that does not exist would mean all machines where it
 * is negated, and none otherwise.
 * @throws AppError `no_such_group`, `unaskable_criteria`
 */
export async function searchToActOn(
  database: Queryable,
  criteria: string,
  now: number,
  sight: Sight = unlimitedSight,
): Promise<Search> {
  const search = searchOfMachines(criteria, now, sight);
  for (const condition of search.conditions) {
    if (condition.name !== 'group') continue;
    const named =
      condition.kind === 'oneOf'
        ? condition.values
        : condition.kind === 'compared'
          ? [condition.value]
          : [];
    for (const name of named.map(String)) await requireGroupByName(database, name, sight);
  }
  return search;
}

/** Returns the groups that all machines of a search are of because it names them; null: the machines may be of any group. */
export async function findGroupsOfSearch(
  database: Queryable,
  { conditions }: Pick<Search, 'conditions'>,
): Promise<readonly number[] | null> {
  const named = conditions.find(
    (condition) =>
      condition.name === 'group' &&
      ((condition.kind === 'oneOf' && !condition.negated) ||
        (condition.kind === 'compared' && condition.comparison === '=')),
  );
  if (named === undefined) return null;
  const test = createValueTest(named);
  return (await readGroups(database)).filter((group) => test(namesOf(group))).map(({ id }) => id);
}

/**
 * Returns the machines of the groups that the condition names.
 * @param condition Not negated.
 * @param groups The groups that exist for the caller; null: all.
 * @throws AppError `unaskable_criteria` when the criteria of a group are no longer valid, unless the caller has groups: then it has no machines.
 */
export async function findMachinesOfGroups(
  database: Queryable,
  findIds: FindIds,
  condition: Condition,
  { groups, now }: { readonly groups: Sight['groups']; readonly now: number },
): Promise<readonly number[]> {
  const test = createValueTest(condition);
  if (groups !== null)
    return findMachinesOfNumbers(database, findIds, groups, now, (group) => test(namesOf(group)));
  const found = new Set<number>();
  for (const group of (await readGroups(database)).filter((one) => test(namesOf(one))))
    for (const id of await findMachinesOfGroup(database, findIds, group, now)) found.add(id);
  return [...found];
}

/** Returns the machines of the groups with these numbers. A group whose criteria are no longer valid has none, and its page says so. */
export async function findMachinesOfNumbers(
  database: Queryable,
  findIds: FindIds,
  numbers: readonly number[],
  now: number,
  isWanted: (group: StoredGroup) => boolean = () => true,
): Promise<readonly number[]> {
  const found = new Set<number>();
  for (const group of await readGroups(database))
    if (numbers.includes(group.id) && isWanted(group))
      for (const id of await findValidMachines(database, findIds, group, now)) found.add(id);
  return [...found];
}

/** As {@link findMachinesOfGroup}, but no machines for criteria that are no longer valid. */
export async function findValidMachines(
  database: Queryable,
  findIds: FindIds,
  group: StoredGroup,
  now: number,
): Promise<readonly number[]> {
  try {
    return await findMachinesOfGroup(database, findIds, group, now);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unaskable_criteria') return [];
    throw error;
  }
}
