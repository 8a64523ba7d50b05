/** Evaluates conditions on the id of a row, which criteria that no row has become. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { createValueTest } from '../criteria/condition-meaning.ts';
import type { ListMemory } from './list-memory.ts';
import { RowSet } from './row-set.ts';

/** Removes the rows whose id does not meet the condition. */
export function filterRowsById(memory: ListMemory, rows: RowSet, condition: Condition): void {
  const found = new RowSet(memory.rows);
  if (condition.kind !== 'oneOf') {
    const isMet = createValueTest(condition);
    for (const position of rows.positions())
      if (isMet(memory.ids[position] ?? 0)) found.add(position);
    rows.intersect(found);
    return;
  }
  for (const id of condition.values) {
    const position = memory.findPosition(Number(id));
    if (position !== undefined) found.add(position);
  }
  if (condition.negated) rows.subtract(found);
  else rows.intersect(found);
}
