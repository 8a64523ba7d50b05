/** The names of records that a criterion refers to by number: `almalinux_patch/7`, `#67108865`. */
import {
  isCriterionOnly,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { recordName } from '@patch/catalogue/definition/record-name.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { useQueries } from '@tanstack/react-query';
import { recordQuery } from '../../detail/use-record.ts';

interface Reference {
  readonly value: string;
  readonly list: ListDefinition;
  readonly id: number;
}

/** Numbers alone are of machines, and in this criterion of clients. */
const ofClients = 'missingAt';
/** Numbers of groups stay: a group is no record. */
const ofGroups: readonly string[] = ['group', 'missingIn'];

function readReference(value: unknown, paramName: string): Reference | null {
  if (typeof value !== 'string' || ofGroups.includes(paramName)) return null;
  const [, key = '', number] = /^(?:([a-z_]+)\/|#)(\d{1,15})$/.exec(value) ?? [];
  if (number === undefined) return null;
  const own = getList(paramName === ofClients ? 'floto_user' : 'machines');
  const list = value.startsWith('#') ? own : catalogueLists.find((one) => one.key === key);
  return list === undefined ? null : { value, list, id: Number(number) };
}

/**
 * Returns the criterion as people read it: a record by its name where the value is its number. A record that cannot be read keeps the
 * number.
 */
export function useNamedCriterion(list: ListDefinition, criterion: FieldCriterion): FieldCriterion {
  const { paramName, value } = criterion;
  const values = Array.isArray(value) ? value : [value];
  const references = isCriterionOnly(list, paramName)
    ? values.flatMap((one) => readReference(one, paramName) ?? [])
    : [];
  const names = useQueries({
    queries: references.map((one) => ({
      ...recordQuery(one.list, one.id),
      retry: false,
      meta: { quiet: true },
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, index) => {
          const reference = references[index];
          const name =
            data === undefined || reference === undefined
              ? undefined
              : recordName(reference.list, data);
          return reference === undefined || name === undefined ? [] : [[reference.value, name]];
        }),
      ),
  });
  if (names.size === 0) return criterion;
  const named = values.map((one) => names.get(String(one)) ?? one) as readonly string[];
  return { ...criterion, value: Array.isArray(value) ? [...named] : (named[0] ?? '') };
}
