/** Reads the machines that miss a record, or a record with a CVE, for their pages. Reads all partitions. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { MachineOfRecord, type RecordMachines } from '@patch/contract/machine-endpoints.ts';
import type { CveMachines } from '@patch/contract/vulnerability-endpoint.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { findMissedRecord, findMissedRecords, readMissesValues } from './missed-record-store.ts';
import { readMachinesOfMissing } from './missing-marks-store.ts';

const ShownRow = MachineOfRecord.omit({ state: true, accepted: true });

export async function readMachinesMissing(
  database: Queryable,
  record: { readonly list: string; readonly recordId: number },
  { offset, size, now }: { readonly offset: number; readonly size: number; readonly now: number },
): Promise<RecordMachines> {
  const marks = await readMachinesOfMissing(
    database,
    await findMissedRecord(database, record),
    now,
  );
  const machines = marks.machines();
  const page = machines.slice(offset, offset + size);
  const rows = await readShownMachines(
    database,
    page.map(({ id }) => id),
  );
  const [misses = ''] = await readMissesValues(database, [record]);
  return {
    objList: page.flatMap(({ id, state, standing }) => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ ...row, state, accepted: standing === 'accepted' }];
    }),
    totalCount: machines.length,
    ...marks.count(),
    misses,
  };
}

/** Counts the machines that miss a record with the CVE, each once: those that the criterion `misses` finds for it. */
export async function countMachinesOfCve(
  database: Queryable,
  cve: string,
  now: number,
): Promise<CveMachines> {
  const missingIds = await findMissedRecords(database, {
    kind: 'compared',
    comparison: '=',
    value: cve,
    name: 'misses',
    definition: getField(machineList, 'misses'),
  });
  const marks = await readMachinesOfMissing(database, missingIds, now);
  const [reporting = false] = await queryValues(
    database,
    z.boolean(),
    'select exists(select 1 from machine)',
  );
  return { reporting, ...marks.count() };
}

async function readShownMachines(database: Queryable, ids: readonly number[]) {
  const rows = await queryRows(
    database,
    ShownRow,
    `select machine.id, name, machine_key as "machineKey", machine.client_id as "clientId", client, platform, release, last_seen as "lastSeen"
     from machine join machine_standing on machine_standing.client_id = machine.client_id and machine_standing.id = machine.id
     where (machine.client_id, machine.id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
    [arrayText(ids.map(clientOfMachine)), arrayText(ids)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
