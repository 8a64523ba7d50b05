/** The filter language and the order of a search, evaluated over rows in memory: the same results as its SQL. */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  fieldOf,
  type ListDefinition,
  type NewRow,
} from '@patch/catalogue/definition/list-definition.ts';
import {
  naturalOrder,
  orderFunction,
  versionOrder,
} from '@patch/catalogue/definition/natural-order.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { foldedElements, valueTest } from './condition-meaning.ts';
import type { SortKey } from './search-request.ts';

export interface MatchedRow {
  readonly id: number;
  readonly row: NewRow<Fields>;
}

export const meetsCondition = (row: MatchedRow, condition: Condition): boolean =>
  valueTest(condition)(valueOf(row, condition.name));

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
    const [one, other] = [orderValue(list, a, field), orderValue(list, b, field)];
    if (one === other) continue;
    if (one === null || other === null) return one === null ? 1 : -1;
    const less =
      typeof one === 'string'
        ? Buffer.compare(Buffer.from(one), Buffer.from(String(other))) < 0
        : one < Number(other);
    return less === descending ? 1 : -1;
  }
  return 0;
}

function valueOf({ id, row }: MatchedRow, name: string): unknown {
  const value = name === 'id' ? id : (row[name] ?? null);
  return Array.isArray(value) && value.length === 0 ? null : value;
}

const orders = { natural_order: naturalOrder, version_order: versionOrder };

function orderValue(list: ListDefinition, row: MatchedRow, name: string): string | number | null {
  const value = valueOf(row, name);
  if (value === null || typeof value === 'number') return value;
  const words = foldedElements(value).join('\n');
  const definition = fieldOf(list, name);
  if (definition.kind === 'choice')
    return (definition.choices ?? []).findIndex((choice) => fold(String(choice)) === words);
  const byNumbers = orderFunction(definition);
  return byNumbers === null ? words : orders[byNumbers](words);
}
