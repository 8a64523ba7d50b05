/** Finds machines by what a criterion calls them, or their client: a name, a key, or #number. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { createValueTest } from '../../records/criteria/condition-meaning.ts';
import { clientOfMachine } from './machine-number.ts';

const NamesRow = z.object({ id: z.number(), names: z.array(z.string().nullable()) });

/** A machine that is called like a number must not take the place of the machine with the number. */
const numberPattern = /^#(\d{1,15})$/;

/** Returns the ids of machines. @param condition Not negated. */
export const findMachinesByName = (database: Queryable, condition: Condition) =>
  findMachines(database, condition, {
    names: ['name', 'machine_key'],
    numberOf: (id) => id,
    hasNumber: '(client_id, id) in (select * from unnest($2::bigint[], $3::bigint[]))',
    keysOf: (numbers) => [numbers.map(clientOfMachine), numbers],
  });

/** Returns the ids of the machines of clients. @param condition Not negated. */
export const findMachinesOfClients = (database: Queryable, condition: Condition) =>
  findMachines(database, condition, {
    names: ['client'],
    numberOf: clientOfMachine,
    hasNumber: 'client_id = any($2::bigint[])',
    keysOf: (numbers) => [numbers],
  });

interface Naming {
  /** Columns. Each has a folded one with an index. */
  readonly names: readonly string[];
  readonly numberOf: (id: number) => number;
  /** SQL with the parameters of `keysOf`. */
  readonly hasNumber: string;
  readonly keysOf: (numbers: readonly number[]) => readonly (readonly number[])[];
}

async function findMachines(
  database: Queryable,
  condition: Condition,
  { names, numberOf, hasNumber, keysOf }: Naming,
): Promise<readonly number[]> {
  const selected = `select id, json_build_array(${names.join()}) as names from machine`;
  const values = getValues(condition);
  const numbers = values?.flatMap((value) => numberPattern.exec(value)?.[1] ?? []).map(Number);
  const rows =
    values === null || numbers === undefined
      ? await queryRows(database, NamesRow, selected)
      : await queryRows(
          database,
          NamesRow,
          `${selected} where ${hasNumber} or ${names.map((name) => `${name}_folded = any($1::text[])`).join(' or ')}`,
          [values, ...keysOf(numbers)].map(arrayText),
        );
  const test = createValueTest(condition);
  return rows
    .filter((row) =>
      test([
        `#${numberOf(row.id)}`,
        ...row.names.filter((name) => name !== null && !numberPattern.test(name)),
      ]),
    )
    .map(({ id }) => id);
}

/** Returns the only values that the condition allows; null when it allows others, such as names that begin alike. */
function getValues(condition: Condition): readonly string[] | null {
  if (condition.kind === 'compared' && condition.comparison === '=')
    return [String(condition.value)];
  return condition.kind === 'oneOf' ? condition.values.map(String) : null;
}
