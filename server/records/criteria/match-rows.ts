/** Evaluates the filter and the sort order of a search over rows in memory. The results equal those of its SQL. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  getField,
  type ListDefinition,
  type NewRow,
} from '@patch/catalogue/definition/list-definition.ts';
import {
  naturalOrder,
  orderFunction,
  versionOrder,
} from '@patch/catalogue/definition/natural-order.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { createValueTest, foldElements } from './condition-meaning.ts';
import type { SortKey } from './search-request.ts';

export interface MatchedRow {
  readonly id: number;
  readonly row: NewRow<Fields>;
}

export const matchesCondition = (row: MatchedRow, condition: Condition): boolean =>
  createValueTest(condition)(getValue(row, condition.name));

/** Compares two rows. A row without a value comes last in both directions; ties follow the direction of the first key. */
export function compareRows(
  list: ListDefinition,
  sort: readonly SortKey[],
  a: MatchedRow,
  b: MatchedRow,
): number {
  for (const { field, descending } of [
    ...sort,
    { field: 'id', descending: sort[0]?.descending ?? false },
  ]) {
    const [left, right] = [getOrderValue(list, a, field), getOrderValue(list, b, field)];
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    const less =
      typeof left === 'string'
        ? Buffer.compare(Buffer.from(left), Buffer.from(String(right))) < 0
        : left < Number(right);
    return less === descending ? 1 : -1;
  }
  return 0;
}

function getValue({ id, row }: MatchedRow, name: string): unknown {
  const value = name === 'id' ? id : (row[name] ?? null);
  return Array.isArray(value) && value.length === 0 ? null : value;
}

const orders = { natural_order: naturalOrder, version_order: versionOrder };

function getOrderValue(
  list: ListDefinition,
  row: MatchedRow,
  name: string,
): string | number | null {
  const value = getValue(row, name);
  if (value === null || typeof value === 'number') return value;
  const words = foldElements(value).join('\n');
  const definition = getField(list, name);
  if (definition.kind === 'choice')
    return (definition.choices ?? []).findIndex((choice) => fold(String(choice)) === words);
  const order = orderFunction(definition);
  return order === null ? words : orders[order](words);
}
