/**
 * Writes rows of machines with their parts when a client reports, and deletes them on request of the client or an administrator.
 */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import { columnArrays, columnTypes } from '../../platform/database/rows/column-arrays.ts';
import { raiseRevision } from '../../platform/database/rows/list-revision-store.ts';
import { storedRow, withoutNul } from '../../platform/database/rows/stored-row.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { countAcceptedAgain } from '../judgement/missing-exception-store.ts';
import { identitiesToWrite } from '../machines/machine-identity-store.ts';
import { clientOfMachine, machineId } from '../machines/machine-number.ts';
import { joinTags, splitTags } from '../machines/machine-tags.ts';
import { NumberSet } from '../parts/number-set.ts';
import { type ChangedParts, changePartMachines } from '../parts/part-machines-store.ts';
import type { MachineReport } from './machine-report.ts';

const PartsRow = z.object({ id: z.number(), parts: NumberSet });
const BeforeRow = PartsRow.extend({ ownTags: z.string() });

/**
 * Returns the client's name.
 * @throws AppError `machines_not_allowed` when the client is unknown or may not report.
 */
export async function assertReportsAllowed(database: Queryable, clientId: number): Promise<string> {
  const [name] = await queryValues(
    database,
    z.string().nullable(),
    'select name from reporting_fleet where id = $1',
    [clientId],
  );
  if (name !== undefined) return name ?? '';
  throw new AppError(
    'machines_not_allowed',
    'This client may not report machines. An administrator can allow it in the registry of licensed clients.',
  );
}

/** Prevents other writes of machines of this client until the transaction ends. Otherwise as `assertReportsAllowed`. */
export async function lockAllowedFleet(tx: Queryable, clientId: number): Promise<string> {
  const name = await assertReportsAllowed(tx, clientId);
  await tx.query(
    'insert into fleet_client (client_id) values ($1) on conflict (client_id) do nothing',
    [clientId],
  );
  await tx.query('select 1 from fleet_client where client_id = $1 for update', [clientId]);
  return name;
}

/** Returns the current parts of machines of one client, and the tags that people put on them, by id. */
async function readMachinesBefore(
  tx: Queryable,
  clientId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, z.infer<typeof BeforeRow>>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows(
    tx,
    BeforeRow,
    'select id, parts, own_tags as "ownTags" from machine where client_id = $1 and id = any($2::bigint[])',
    [clientId, arrayText(ids)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Requires the fleet's lock. Returns the ids of `count` new machines. */
async function allocateIds(
  tx: Queryable,
  clientId: number,
  count: number,
): Promise<readonly number[]> {
  const [last = 0] = await queryValues(
    tx,
    z.number(),
    'update fleet_client set last_number = last_number + $2 where client_id = $1 returning last_number',
    [clientId, count],
  );
  return Array.from({ length: count }, (_, at) => machineId(clientId, last - count + at));
}

export interface ReportToWrite {
  readonly report: MachineReport;
  /** The hash of the report as sent. */
  readonly sentHash: string;
  readonly hash: string;
  readonly parts: readonly number[];
  /** The parts in their stored form. */
  readonly encodedParts: Buffer;
  /** The machine's id; null for a new one. */
  readonly known: number | null;
}

export interface WrittenMachine {
  readonly id: number;
  /** The names that report the key, when several are detected now. */
  readonly namesOfKey: readonly string[] | null;
}

/** Requires the fleet's lock. Returns the machines by key. */
export async function writeMachines(
  tx: Queryable,
  client: { readonly id: number; readonly name: string },
  reports: readonly ReportToWrite[],
  now: number,
): Promise<ReadonlyMap<string, WrittenMachine>> {
  const added = reports.filter(({ known }) => known === null);
  const numbers = await allocateIds(tx, client.id, added.length);
  const ids = new Map(added.map(({ report }, at) => [report.key, numbers[at] ?? 0]));
  for (const { report, known } of reports) if (known !== null) ids.set(report.key, known);
  const knownIds = reports.flatMap(({ known }) => known ?? []);
  const before = await readMachinesBefore(tx, client.id, knownIds);
  const changed = reports.map(({ report, parts }) => {
    const id = ids.get(report.key) ?? 0;
    return changedParts(id, before.get(id)?.parts ?? [], parts);
  });
  await changePartMachines(tx, client.id, changed);
  const revision = await raiseRevision(tx, machineList, added.length);
  const rows = reports.map(({ report, hash, encodedParts }) => {
    const id = ids.get(report.key) ?? 0;
    return {
      client_id: client.id,
      id,
      natural_key: withoutNul(report.key),
      created_time: now,
      updated_time: now,
      revision,
      ...listColumns(report, client, before.get(id)?.ownTags ?? ''),
      reported_tags: report.facts.tags.join('\n'),
      report_hash: hash,
      parts: encodedParts.toString('base64'),
    };
  });
  await upsertMachines(tx, rows);
  const seen = reports.map(({ report: { key, name, sketch } }) => ({
    id: ids.get(key) ?? 0,
    name,
    sketch,
  }));
  const identities = await identitiesToWrite(tx, client.id, seen, now);
  const standings = identities.map((one, at) => ({
    ...one,
    id: seen[at]?.id ?? 0,
    replaced: arrayText(changed[at]?.lost ?? []),
  }));
  // What another machine of the key had was not replaced.
  await tx.query(
    `insert into machine_standing (client_id, id, last_seen, sent_hash, unreadable_lines, identities, identity, shared_on, replaced_parts, replaced_on)
     select $1::bigint, id, $2::bigint, sent_hash, unreadable_lines, identities::jsonb, identity, shared_on, nullif(replaced::int[], '{}'),
       case when replaced <> '{}' then $2::bigint end
     from unnest($3::bigint[], $4::text[], $5::int[], $6::text[], $7::int[], $8::bigint[], $9::text[])
       as seen(id, sent_hash, unreadable_lines, identities, identity, shared_on, replaced)
     on conflict (client_id, id) do update set last_seen = excluded.last_seen, sent_hash = excluded.sent_hash,
       unreadable_lines = excluded.unreadable_lines, identities = excluded.identities, identity = excluded.identity,
       shared_on = excluded.shared_on, counted_hash = null,
       replaced_parts = case when machine_standing.identity = excluded.identity then nullif(coalesce(machine_standing.replaced_parts, '{}') || coalesce(excluded.replaced_parts, '{}'), '{}') end,
       replaced_on = case when machine_standing.identity = excluded.identity then coalesce(excluded.replaced_on, machine_standing.replaced_on) end`,
    [
      client.id,
      now,
      arrayText(standings.map(({ id }) => id)),
      arrayText(reports.map(({ sentHash }) => sentHash)),
      arrayText(reports.map(({ report }) => report.unreadableLines)),
      ...arrayTexts(standings, 'identities', 'identity', 'sharedOn', 'replaced'),
    ],
  );
  await countAcceptedAgain(
    tx,
    client.id,
    standings.flatMap(({ id, isOther }) => (isOther ? [id] : [])),
  );
  return new Map(
    standings.map(({ id, namesOfKey }, at) => [reports[at]?.report.key ?? '', { id, namesOfKey }]),
  );
}

function changedParts(
  id: number,
  previous: readonly number[],
  parts: readonly number[],
): ChangedParts {
  if (previous.length === 0) return { machineId: id, gained: [...new Set(parts)], lost: [] };
  const [now, before] = [new Set(parts), new Set(previous)];
  return {
    machineId: id,
    gained: [...now].filter((part) => !before.has(part)),
    lost: [...before].filter((part) => !now.has(part)),
  };
}

function listColumns(
  report: MachineReport,
  client: { readonly id: number; readonly name: string },
  ownTags: string,
) {
  const tags = joinTags(splitTags(ownTags), report.facts.tags);
  const row = { ...report.facts, tags, client: client.name, clientId: client.id };
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

/** Tables with rows of a machine that are deleted with it. */
const tablesOfMachines = [
  'machine_patched',
  'missing_exception',
  'missing_exception_machine',
  'record_note',
  'record_assignment',
] as const;

/** Requires the fleet's lock. Returns the number of deleted machines. The caller calls `askForTally` once they are. */
export async function deleteMachines(
  tx: Queryable,
  clientId: number,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await queryRows(
    tx,
    PartsRow,
    'delete from machine where client_id = $1 and id = any($2::bigint[]) returning id, parts',
    [clientId, arrayText(ids)],
  );
  await tx.query('delete from machine_standing where client_id = $1 and id = any($2::bigint[])', [
    clientId,
    arrayText(ids),
  ]);
  for (const table of tablesOfMachines)
    await tx.query(`delete from ${table} where client_id = $1 and machine_id = any($2::bigint[])`, [
      clientId,
      arrayText(ids),
    ]);
  await changePartMachines(
    tx,
    clientId,
    rows.map(({ id, parts }) => ({ machineId: id, gained: [], lost: parts })),
  );
  if (rows.length > 0) await raiseRevision(tx, machineList, -rows.length);
  return rows.length;
}

/** Call it after the transaction that deletes machines: a round locks its own row first, and the fleet's next. */
export const askForTally = (database: Queryable) =>
  database.query('update fleet_worker set tally_due = true where not tally_due');

/** Locks the fleet of a machine, also when its client may no longer report. Returns the client's id. */
export async function lockFleet(tx: Queryable, id: number): Promise<number> {
  const clientId = clientOfMachine(id);
  await tx.query('select 1 from fleet_client where client_id = $1 for update', [clientId]);
  return clientId;
}

const SummaryRow = z.object({
  id: z.number(),
  name: z.string(),
  machineKey: z.string(),
  client: z.string(),
});
/** The description of a machine in the audit log. */
export type MachineSummary = z.infer<typeof SummaryRow>;

export async function readMachineSummary(
  database: Queryable,
  id: number,
): Promise<MachineSummary | null> {
  const [summary = null] = await queryRows(
    database,
    SummaryRow,
    `select id, coalesce(name, '') as name, coalesce(machine_key, '') as "machineKey", coalesce(client, '') as client
     from machine where client_id = $1 and id = $2`,
    [clientOfMachine(id), id],
  );
  return summary;
}
