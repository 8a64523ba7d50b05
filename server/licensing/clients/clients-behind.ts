/**
 * Finds the licensed clients that have not fetched everything, by list and for one record. Revoked
 * and expired clients are left out.
 */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import {
  type BehindClient,
  maxClientsPerList,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { searchableSeverity } from './client-exposure.ts';
import { type ClientPosition, readAllPositions } from './client-position-store.ts';
import { isLicensed, licensedLists } from './client-state.ts';
import { countNewerUpdates, type NewerUpdates, readRecordRevision } from './exposure-store.ts';
import { readAllClients, type StoredClient } from './licensed-client-store.ts';

/** The revision of a client that has never fetched the list. */
const neverFetched = -1;

/** A client whose licence covers a list, and how far it has fetched the list. */
export interface CoveredClient extends Pick<StoredClient, 'id' | 'clientName'> {
  readonly revision: number;
  /** Null: never. */
  readonly fetchedOn: number | null;
}

export interface LicensedClients {
  /** Ordered by name. */
  readonly clients: readonly Pick<StoredClient, 'id' | 'clientName' | 'families'>[];
  /** Positions by list, then by client id, since thousands of clients each have a position in each list. */
  readonly positions: ReadonlyMap<string, ReadonlyMap<number, ClientPosition>>;
}

export async function readLicensedClients(
  database: Queryable,
  now: number,
): Promise<LicensedClients> {
  const clients = await readAllClients(database);
  return {
    clients: clients.filter((client) => isLicensed(client, now)),
    positions: positionsByList(await readAllPositions(database)),
  };
}

export function positionsByList(
  positions: readonly ClientPosition[],
): LicensedClients['positions'] {
  const byList = Map.groupBy(positions, ({ list }) => list);
  return new Map(
    [...byList].map(([list, ofList]) => [
      list,
      new Map(ofList.map((position) => [position.clientId, position])),
    ]),
  );
}

export function coveredClients(
  list: CatalogueList,
  { clients, positions }: LicensedClients,
): readonly CoveredClient[] {
  return clients
    .filter((client) => licensedLists(client).includes(list))
    .map(({ id, clientName }) => {
      const position = positions.get(list.key)?.get(id);
      return {
        id,
        clientName,
        revision: position?.revision ?? neverFetched,
        fetchedOn: position?.fetchedOn ?? null,
      };
    });
}

/**
 * Returns the clients that lack updates, those that lack most severe ones first.
 * @param newer Numbers of newer updates by revision.
 */
export function clientsBehind(
  covered: readonly CoveredClient[],
  newer: ReadonlyMap<number, NewerUpdates>,
): readonly BehindClient[] {
  return covered
    .map(({ id, clientName, fetchedOn, revision }): BehindClient => {
      const missing = newer.get(revision) ?? { all: 0, critical: 0, important: 0 };
      return { id, clientName, fetchedOn, ...missing };
    })
    .filter(({ all }) => all > 0)
    .toSorted((a, b) => b.critical - a.critical || b.important - a.important || b.all - a.all);
}

/** Counts, for every list of a vendor, the clients that its licences cover and those that lack updates. */
export async function countClientsBehindByList(database: Queryable, now: number) {
  const licensed = await readLicensedClients(database, now);
  const objList = [];
  for (const list of catalogueLists.filter(({ source }) => source !== null))
    objList.push({
      list: list.key,
      label: list.label,
      ...(await countClientsBehindOnList(database, list, licensed)),
    });
  return { objList, totalCount: objList.length };
}

async function countClientsBehindOnList(
  database: Queryable,
  list: CatalogueList,
  licensed: LicensedClients,
) {
  const covered = coveredClients(list, licensed);
  const severity = searchableSeverity(list);
  const revisions = covered.map(({ revision }) => revision);
  const behind = clientsBehind(
    covered,
    await countNewerUpdates(database, list, severity, revisions),
  );
  return {
    hasSeverity: severity !== null,
    clients: covered.length,
    behind: behind.length,
    lackCritical: behind.filter(({ critical }) => critical > 0).length,
    lackImportant: behind.filter(({ important }) => important > 0).length,
    notYetFetchedBy: behind.slice(0, maxClientsPerList),
  };
}

/**
 * Returns the clients that have not fetched the current version of a record.
 * @throws AppError `not_found` when the record is not listed.
 */
export async function findClientsBehindOnRecord(
  database: Queryable,
  now: number,
  { list: key, id }: { readonly list: string; readonly id: number },
) {
  const list = catalogueLists.find((one) => one.key === key && one.source !== null);
  const revision = list === undefined ? null : await readRecordRevision(database, list, id);
  if (list === undefined || revision === null)
    throw new AppError('not_found', `The list '${key}' has no listed record ${id}.`);
  const covered = coveredClients(list, await readLicensedClients(database, now));
  const objList = covered
    .filter((client) => client.revision < revision)
    .map(({ id: clientId, clientName, fetchedOn }) => ({ id: clientId, clientName, fetchedOn }));
  return { objList, totalCount: objList.length, clients: covered.length };
}
