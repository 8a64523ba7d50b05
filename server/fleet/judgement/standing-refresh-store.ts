/** Refreshes what counts depend on beside judgements: severities and exploitation of records, and releases in the catalogue. */
import { cataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { hasMacSystem } from '@patch/catalogue/machines/judgement/macos-judgement.ts';
import { macRelease } from '@patch/catalogue/machines/judgement/update-record.ts';
import { z } from 'zod';
import { findListsOfReleases, readAllRecords } from '../../machines/machine-records-store.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import { allPatches } from '../../platform/database/records/record-index-row.ts';
import { riskRevision } from '../../platform/database/searched-relation.ts';
import { readReleaseParts, readScopes } from '../parts/inventory-part-store.ts';
import type { FleetWork } from './fleet-lease-store.ts';
import { macReleases, readProductNames } from './judged-record-store.ts';
import { markPartsToCount } from './part-missing-store.ts';

const RevisionsRow = z.object({ severity: z.number(), risk: z.number() });

/** Copies severities from the index of records when it, or the risk of its records, has changed. */
export async function refreshSeverities({ database, keepLease }: FleetWork): Promise<void> {
  await database.transaction(async (tx) => {
    await keepLease(tx);
    const [now] = await queryRows(
      tx,
      RevisionsRow,
      `select coalesce(max(revision) filter (where list = $1), 0) as severity, coalesce(max(revision) filter (where list = $2), 0) as risk
       from list_revision where list in ($1, $2)`,
      [allPatches.key, riskRevision],
    );
    const [known] = await queryRows(
      tx,
      RevisionsRow,
      'select severity_revision as severity, risk_revision as risk from fleet_worker',
    );
    if (now === undefined || (known?.severity === now.severity && known.risk === now.risk)) return;
    const changed = await queryValues(
      tx,
      z.number(),
      `update missing_record set severity = record.severity, exploited = coalesce(record_risk.exploited, false)
       from record left join record_risk on record_risk.record_id = record.id
       where record.list = missing_record.list and record.record_id = missing_record.record_id
         and (missing_record.severity, missing_record.exploited) is distinct from (record.severity, coalesce(record_risk.exploited, false))
       returning missing_record.id`,
    );
    await markRecords(tx, changed);
    await tx.query('update fleet_worker set severity_revision = $1, risk_revision = $2', [
      now.severity,
      now.risk,
    ]);
  });
}

/** Marks the machines that miss these records to be counted again. */
export async function markRecords(tx: Queryable, missingIds: readonly number[]): Promise<void> {
  if (missingIds.length === 0) return;
  const parts = await queryValues(
    tx,
    z.number(),
    'select distinct part_id from part_missing where missing_id = any($1::int[])',
    [arrayText(missingIds)],
  );
  await markPartsToCount(tx, parts);
}

interface Scope {
  readonly kind: 'packages' | 'windows' | 'macos';
  readonly scope: string;
}

/**
 * Updates which releases and products the catalogue has records of, and marks the machines of changed ones to be counted again.
 */
export async function refreshScopes(parts: FleetWork): Promise<void> {
  const { database, keepLease } = parts;
  if (!(await areScopesDue(database))) return;
  for (const { kind, scope, names } of await readMachineScopes(database)) {
    const catalogued = await isCatalogued(parts, { kind, scope }, names);
    await database.transaction(async (tx) => {
      await keepLease(tx);
      // Machines of a new release are not counted before the release is stored.
      await tx.query(
        'insert into judged_scope (kind, scope, catalogued) values ($1, $2, $3) on conflict (kind, scope) do nothing',
        [kind, scope, catalogued],
      );
      const { count } = await tx.query(
        'update judged_scope set catalogued = $3 where kind = $1 and scope = $2 and catalogued <> $3',
        [kind, scope, catalogued],
      );
      if (count > 0)
        await tx.query(
          `insert into part_to_count as current (part_id) select id from inventory_part where kind = $1 and scope = $2 order by id
           on conflict (part_id) do update set times = current.times + 1`,
          [kind, scope],
        );
    });
  }
}

async function readMachineScopes(
  database: Queryable,
): Promise<readonly (Scope & { readonly names: readonly string[] })[]> {
  const releases = (await readReleaseParts(database)).map(({ scope, machine }) => ({
    kind: 'packages' as const,
    scope,
    names: cataloguedRelease(machine)?.names ?? [],
  }));
  const others = [];
  for (const kind of ['windows', 'macos'] as const)
    for (const scope of await readScopes(database, kind)) others.push({ kind, scope, names: [] });
  return [...releases, ...others];
}

/** Only a change of the index of records, or a machine of a new release, can change which releases the catalogue has. */
async function areScopesDue(database: Queryable): Promise<boolean> {
  const [areDue = false] = await queryValues(
    database,
    z.boolean(),
    `select coalesce((select revision from list_revision where list = $1), 0) <> (select severity_revision from fleet_worker)
       or exists(select from inventory_part where kind <> 'applications' and scope <> ''
         and not exists(select from judged_scope where judged_scope.kind = inventory_part.kind and judged_scope.scope = inventory_part.scope))`,
    [allPatches.key],
  );
  return areDue;
}

async function isCatalogued(
  { database, signal }: Pick<FleetWork, 'database' | 'signal'>,
  { kind, scope }: Scope,
  names: readonly string[],
): Promise<boolean> {
  if (kind === 'windows') return (await readProductNames(database, scope)).length > 0;
  if (kind === 'packages') return (await findListsOfReleases(database, names)).length > 0;
  const records = await readAllRecords(database, macReleases, signal);
  const releases = records.map(({ key, content }) => macRelease({ key, ...content }));
  return hasMacSystem(releases, scope);
}
