/** Which licensed clients have not fetched everything: by list, and for one record. Revoked and expired clients do not count. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import { type BehindClient, maxClientsNamed } from '@patch/contract/licensed-client-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { searchableSeverity } from './client-exposure.ts';
import { allPositions, type ClientPosition } from './client-position-store.ts';
import { isLicensed, listsOf } from './client-state.ts';
import { type NewerUpdates, newerThan, revisionOfRecord } from './exposure-store.ts';
import { allClients, type StoredClient } from './licensed-client-store.ts';

/** The revision of a client that has never asked for the list. */
const neverFetched = -1;

/** A client whose licence covers a list, and how far it has fetched the list. */
export interface CoveredClient extends Pick<StoredClient, 'id' | 'clientName'> {
  readonly revision: number;
  /** Null: it has never asked. */
  readonly fetchedOn: number | null;
}

export interface LicensedClients {
  /** Ordered by name. */
  readonly clients: readonly Pick<StoredClient, 'id' | 'clientName' | 'families'>[];
  /** By list, then by client: there may be thousands of clients, each with a position in each list. */
  readonly positions: ReadonlyMap<string, ReadonlyMap<number, ClientPosition>>;
}

export async function licensedClients(database: Queryable, now: number): Promise<LicensedClients> {
  const clients = await allClients(database);
  return {
    clients: clients.filter((client) => isLicensed(client, now)),
    positions: positionsByList(await allPositions(database)),
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
    .filter((client) => listsOf(client).includes(list))
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

/** The clients that lack at least one update, those that lack most severe ones first. `newer`: updates by revision. */
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

/** For every list of a vendor: how many clients its licences cover, and how many of them lack something. */
export async function clientsBehindByList(database: Queryable, now: number) {
  const licensed = await licensedClients(database, now);
  const objList = [];
  for (const list of catalogueLists.filter(({ source }) => source !== null))
    objList.push({
      list: list.key,
      label: list.label,
      ...(await clientsBehindOnList(database, list, licensed)),
    });
  return { objList, totalCount: objList.length };
}

async function clientsBehindOnList(
  database: Queryable,
  list: CatalogueList,
  licensed: LicensedClients,
) {
  const covered = coveredClients(list, licensed);
  const severity = searchableSeverity(list);
  const revisions = covered.map(({ revision }) => revision);
  const behind = clientsBehind(covered, await newerThan(database, list, severity, revisions));
  return {
    hasSeverity: severity !== null,
    clients: covered.length,
    behind: behind.length,
    lackCritical: behind.filter(({ critical }) => critical > 0).length,
    lackImportant: behind.filter(({ important }) => important > 0).length,
    notYetFetchedBy: behind.slice(0, maxClientsNamed),
  };
}

/** The clients that have not fetched the current version of a record. Throws an AppError `not_found` when the record is not listed. */
export async function clientsBehindOnRecord(
  database: Queryable,
  now: number,
  { list: key, id }: { readonly list: string; readonly id: number },
) {
  const list = catalogueLists.find((one) => one.key === key && one.source !== null);
  const revision = list === undefined ? null : await revisionOfRecord(database, list, id);
  if (list === undefined || revision === null)
    throw new AppError('not_found', `No list '${key}' has a record ${id} that is listed.`);
  const covered = coveredClients(list, await licensedClients(database, now));
  const objList = covered
    .filter((client) => client.revision < revision)
    .map(({ id: clientId, clientName, fetchedOn }) => ({ id: clientId, clientName, fetchedOn }));
  return { objList, totalCount: objList.length, clients: covered.length };
}
