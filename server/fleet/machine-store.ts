/** Rows of machines with their parts: written when a client reports, deleted when it or an administrator says so. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import { columnArrays, columnTypes } from '../platform/database/column-arrays.ts';
import type { Queryable } from '../platform/database/database.ts';
import { raiseRevision } from '../platform/database/list-revision-store.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { storedRow, withoutNul } from '../platform/database/stored-row.ts';
import { clientOfMachine, machineId } from './machine-number.ts';
import { factsOf, type MachineReport } from './machine-report.ts';
import { decodeNumbers, encodeNumbers } from './number-set.ts';
import { Bytes, type ChangedParts, changePartMachines } from './part-machines-store.ts';

export interface KnownMachine {
  readonly id: number;
  readonly key: string;
  readonly reportHash: string;
  readonly parts: readonly number[];
}

const KnownRow = z.object({
  id: z.number(),
  natural_key: z.string(),
  report_hash: z.string(),
  parts: Bytes,
});

/** Until the transaction ends, no other writes machines of this client. Null when the client is unknown, or may not report. */
export async function lockFleet(tx: Queryable, clientId: number): Promise<string | null> {
  const [client] = await queryRows(
    tx,
    z.object({ client_name: z.string().nullable() }),
    'select client_name from licensed_client where id = $1 and reports_machines',
    [clientId],
  );
  if (client === undefined) return null;
  await tx.query(
    'insert into fleet_client (client_id) values ($1) on conflict (client_id) do nothing',
    [clientId],
  );
  await tx.query('select 1 from fleet_client where client_id = $1 for update', [clientId]);
  return client.client_name ?? '';
}

/** Of one client, by key. */
export async function knownMachines(
  tx: Queryable,
  clientId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownMachine>> {
  const rows = await queryRows(
    tx,
    KnownRow,
    `select id, natural_key, report_hash, parts from machine where client_id = $1 and natural_key = any($2::text[])`,
    [clientId, arrayText(keys)],
  );
  return new Map(
    rows.map(({ id, natural_key, report_hash, parts }) => [
      natural_key,
      { id, key: natural_key, reportHash: report_hash, parts: decodeNumbers(parts) },
    ]),
  );
}

const NumberRow = z.object({ last_number: z.number() });

/** Call with the fleet locked. Answers the numbers of as many new machines. */
async function newNumbers(
  tx: Queryable,
  clientId: number,
  count: number,
): Promise<readonly number[]> {
  const [row] = await queryRows(
    tx,
    NumberRow,
    'update fleet_client set last_number = last_number + $2 where client_id = $1 returning last_number',
    [clientId, count],
  );
  const last = row?.last_number ?? 0;
  return Array.from({ length: count }, (_, at) => machineId(clientId, last - count + at));
}

export interface ReportToWrite {
  readonly report: MachineReport;
  readonly parts: readonly number[];
  readonly known: KnownMachine | null;
}

/** Call with the fleet locked. Answers the machines' numbers by key. */
export async function writeMachines(
  tx: Queryable,
  client: { readonly id: number; readonly name: string },
  reports: readonly ReportToWrite[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const added = reports.filter(({ known }) => known === null);
  const numbers = await newNumbers(tx, client.id, added.length);
  const idOf = new Map(added.map(({ report }, at) => [report.key, numbers[at] ?? 0]));
  for (const { report, known } of reports) if (known !== null) idOf.set(report.key, known.id);
  await changePartMachines(
    tx,
    client.id,
    reports.map((one) => changedParts(one, idOf.get(one.report.key) ?? 0)),
  );
  const revision = await raiseRevision(tx, machineList, added.length);
  const rows = reports.map(({ report, parts }) => ({
    client_id: client.id,
    id: idOf.get(report.key) ?? 0,
    natural_key: withoutNul(report.key),
    created_time: now,
    updated_time: now,
    revision,
    ...listColumns(report, client),
    report_hash: report.hash,
    parts: encodeNumbers(parts).toString('base64'),
  }));
  await upsertMachines(tx, rows);
  await tx.query(
    `insert into machine_standing (client_id, id, last_seen) select $1::bigint, id, $3::bigint from unnest($2::bigint[]) as seen(id)
     on conflict (client_id, id) do update set last_seen = excluded.last_seen, counted_hash = null`,
    [client.id, arrayText([...idOf.values()]), now],
  );
  return idOf;
}

function changedParts({ parts, known }: ReportToWrite, id: number): ChangedParts {
  const [now, before] = [new Set(parts), new Set(known?.parts)];
  return {
    machineId: id,
    gained: [...now].filter((part) => !before.has(part)),
    lost: [...before].filter((part) => !now.has(part)),
  };
}

function listColumns(
  report: MachineReport,
  client: { readonly id: number; readonly name: string },
) {
  const row = { ...factsOf(report), client: client.name, clientId: client.id };
  return storedRow(machineList, row, {});
}

async function upsertMachines(
  tx: Queryable,
  rows: readonly Readonly<Record<string, string | number | boolean | null>>[],
): Promise<void> {
  const types = columnTypes(machineList);
  const { names, sql, arrays } = columnArrays(types, rows);
  const values = names.map((name) => (name === 'parts' ? `decode(parts, 'base64')` : name));
  const set = names
    .filter((name) => !['client_id', 'id', 'natural_key', 'created_time'].includes(name))
    .map((name) => `${name} = excluded.${name}`);
  await tx.query(
    `insert into machine (${names.join(', ')}) select ${values.join(', ')} from unnest(${sql}) as reported(${names.join(', ')})
     on conflict (client_id, id) do update set ${set.join(', ')}`,
    arrays,
  );
}

/** Machines whose report says nothing new. */
export async function noteSeen(
  tx: Queryable,
  clientId: number,
  ids: readonly number[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  await raiseRevision(tx, machineList, 0);
  await tx.query(
    'update machine_standing set last_seen = $3 where client_id = $1 and id = any($2::bigint[])',
    [clientId, arrayText(ids), now],
  );
}

/** Call with the fleet locked. Answers how many there were. */
export async function deleteMachines(
  tx: Queryable,
  clientId: number,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await queryRows(
    tx,
    KnownRow,
    `delete from machine where client_id = $1 and id = any($2::bigint[]) returning id, natural_key, report_hash, parts`,
    [clientId, arrayText(ids)],
  );
  await tx.query('delete from machine_standing where client_id = $1 and id = any($2::bigint[])', [
    clientId,
    arrayText(ids),
  ]);
  await tx.query(
    'delete from missing_exception where client_id = $1 and machine_id = any($2::bigint[])',
    [clientId, arrayText(ids)],
  );
  await changePartMachines(
    tx,
    clientId,
    rows.map(({ id, parts }) => ({ machineId: id, gained: [], lost: decodeNumbers(parts) })),
  );
  if (rows.length > 0) await raiseRevision(tx, machineList, -rows.length);
  return rows.length;
}

/** By any who may: the fleet of a client that may no longer report is locked too. */
export async function lockFleetOf(tx: Queryable, id: number): Promise<number> {
  const clientId = clientOfMachine(id);
  await tx.query('select 1 from fleet_client where client_id = $1 for update', [clientId]);
  return clientId;
}

/** What names a machine in the audit log. */
export interface NamedMachine {
  readonly id: number;
  readonly name: string;
  readonly machineKey: string;
  readonly client: string;
}

const NamedRow = z.object({
  id: z.number(),
  name: z.string().nullable(),
  machine_key: z.string().nullable(),
  client: z.string().nullable(),
});

export async function namedMachine(database: Queryable, id: number): Promise<NamedMachine | null> {
  const [row] = await queryRows(
    database,
    NamedRow,
    'select id, name, machine_key, client from machine where client_id = $1 and id = $2',
    [clientOfMachine(id), id],
  );
  if (row === undefined) return null;
  return {
    id,
    name: row.name ?? '',
    machineKey: row.machine_key ?? '',
    client: row.client ?? '',
  };
}
