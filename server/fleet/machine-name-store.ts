/** Finds machines by what a criterion calls them, or their client: a name, a key, or #number. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { createValueTest } from '../records/criteria/condition-meaning.ts';
import { clientOfMachine } from './machine-number.ts';

const NamesRow = z.object({ id: z.number(), names: z.array(z.string().nullable()) });

/** A machine that is called like a number must not take the place of the machine with the number. */
const numberPattern = /^#(\d{1,15})$/;

/** Returns the ids of machines. @param condition Not negated. */
export const findMachinesByName = (database: Queryable, condition: Condition) =>
  findMachines(database, condition, {
    names: 'json_build_array(name, machine_key)',
    numberOf: (id) => id,
    byNumber: 'client_id = $1 and id = $2',
    keyOf: (number) => [clientOfMachine(number), number],
  });

/** Returns the ids of the machines of clients. @param condition Not negated. */
export const findMachinesOfClients = (database: Queryable, condition: Condition) =>
  findMachines(database, condition, {
    names: 'json_build_array(client)',
    numberOf: clientOfMachine,
    byNumber: 'client_id = $1',
    keyOf: (number) => [number],
  });

interface Naming {
  /** SQL of a JSON array. */
  readonly names: string;
  readonly numberOf: (id: number) => number;
  /** SQL with the parameters of `keyOf`. */
  readonly byNumber: string;
  readonly keyOf: (number: number) => readonly number[];
}

async function findMachines(
  database: Queryable,
  condition: Condition,
  { names, numberOf, byNumber, keyOf }: Naming,
): Promise<readonly number[]> {
  const number = getNumber(condition);
  const rows = await queryRows(
    database,
    NamesRow,
    `select id, ${names} as names from machine${number === null ? '' : ` where ${byNumber}`}`,
    number === null ? [] : keyOf(number),
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

/** Returns the only number that the condition allows; null when it compares names. */
function getNumber(condition: Condition): number | null {
  const values =
    condition.kind === 'compared'
      ? [condition.value]
      : condition.kind === 'oneOf'
        ? condition.values
        : [];
  const [, digits] = (values.length === 1 && numberPattern.exec(String(values[0]))) || [];
  return digits === undefined ? null : Number(digits);
}
