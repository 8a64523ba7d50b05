/** Says once how statements find machines by their ids. */
import { arrayText } from '../../platform/database/array-text.ts';
import { clientOfMachine } from './machine-number.ts';

/**
 * SQL of the machines with the ids of the parameters $1 and $2, each found by its key. A condition `(client_id, id) in (select …)` reads
 * the machines of the whole fleet: 60 ms instead of 11 for 500 of 10,000.
 */
export const machinesOfIds =
  'unnest($1::bigint[], $2::bigint[]) as wanted(client_id, id) join machine using (client_id, id)';

/** As `machinesOfIds`, of what is concluded of the machines. */
export const standingsOfIds =
  'unnest($1::bigint[], $2::bigint[]) as wanted(client_id, id) join machine_standing using (client_id, id)';

/** Returns the parameters of both. @param ids Each once. */
export const keysOfMachines = (ids: readonly number[]): readonly [string, string] => [
  arrayText(ids.map(clientOfMachine)),
  arrayText(ids),
];
