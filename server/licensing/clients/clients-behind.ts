/**
 * Finds the licensed clients that have not fetched everything, by list and for one record. Revoked
 * and expired clients are left out.
 */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import type { HeldBackReason } from '@patch/contract/fleet/machine-endpoints.ts';
import {
  type BehindClient,
  maxClientsPerList,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { searchableSeverity } from './client-exposure.ts';
import {
  type ClientPosition,
  type HeardPasses,
  readAllPositions,
} from './client-position-store.ts';
import { isLicensed, licensedLists } from './client-state.ts';
import { countNewerUpdates, type NewerUpdates, readRecordRevision } from './exposure-store.ts';
import { type ClientRing, readAllClients, type StoredClient } from './licensed-client-store.ts';
import {
  type DeclinedRecords,
  type RecordInRing,
  readDeclined,
  readRecordInRings,
} from './ring-record-store.ts';

/** The revision of a client that has never fetched the list. */
const neverFetched = -1;

/** A client whose licence covers a list, and how far it has fetched the list. */
export interface CoveredClient extends Pick<StoredClient, 'id' | 'clientName'> {
  /** Null: in none. */
  readonly ring: number | null;
  readonly revision: number;
  /** Null: never. */
  readonly fetchedOn: number | null;
  readonly passes: HeardPasses | null;
}

export interface LicensedClients {
  /** Ordered by name. */
  readonly clients: readonly (Pick<StoredClient, 'id' | 'clientName' | 'families'> & {
    readonly ring: Pick<ClientRing, 'id'> | null;
  })[];
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
    .map(({ id, clientName, ring }) => {
      const position = positions.get(list.key)?.get(id);
      return {
        id,
        clientName,
        ring: ring?.id ?? null,
        revision: position?.revision ?? neverFetched,
        fetchedOn: position?.fetchedOn ?? null,
        passes: position?.passes ?? null,
      };
    });
}

/**
 * Returns the clients that lack updates, those that lack most severe ones first.
 * @param newer Numbers of newer updates by revision.
 * @param declined Numbers of records of the list by ring.
 */
export function clientsBehind(
  covered: readonly CoveredClient[],
  newer: ReadonlyMap<number, NewerUpdates>,
  declined: (ring: number | null) => number,
): readonly BehindClient[] {
  return covered
    .map(({ id, clientName, fetchedOn, revision, ring }): BehindClient => {
      const missing = newer.get(revision) ?? { all: 0, critical: 0, important: 0 };
      return { id, clientName, fetchedOn, ...missing, declined: declined(ring) };
    })
    .filter((client) => client.all + client.declined > 0)
    .toSorted((a, b) => b.critical - a.critical || b.important - a.important || b.all - a.all);
}

/** Counts, for every list of a vendor, the clients that its licences cover and those that lack updates. */
export async function countClientsBehindByList(database: Queryable, now: number) {
  const licensed = await readLicensedClients(database, now);
  const declined = await readDeclined(database);
  const objList = [];
  for (const list of catalogueLists.filter(({ source }) => source !== null))
    objList.push({
      list: list.key,
      label: list.label,
      ...(await countClientsBehindOnList(database, list, licensed, declined)),
    });
  return { objList, totalCount: objList.length };
}

async function countClientsBehindOnList(
  database: Queryable,
  list: CatalogueList,
  licensed: LicensedClients,
  declined: DeclinedRecords,
) {
  const covered = coveredClients(list, licensed);
  const severity = searchableSeverity(list);
  const revisions = covered.map(({ revision }) => revision);
  const behind = clientsBehind(
    covered,
    await countNewerUpdates(database, list, severity, revisions),
    (ring) => declined(ring, list.key),
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
  const rings = await readRecordInRings(database, id);
  const objList = covered.flatMap((client) => {
    const inRing = client.ring === null ? undefined : rings.get(client.ring);
    const lack = findLack(client, revision, inRing);
    if (lack === null) return [];
    return [{ id: client.id, clientName: client.clientName, fetchedOn: client.fetchedOn, ...lack }];
  });
  return { objList, totalCount: objList.length, clients: covered.length };
}

/**
 * Returns null when the client has the record's current version, and otherwise whether its ring holds it back.
 * @param current - The revision of the current version.
 * @param inRing - Undefined for a client that is in no ring.
 */
function findLack(
  { revision, passes }: CoveredClient,
  current: number,
  inRing: RecordInRing | undefined,
): { readonly heldBack: HeldBackReason | null } | null {
  // Until its next call, a client that has left a ring lacks what that ring declined.
  const mayLack = passes?.lacks === true && passes.ring !== inRing?.ring;
  if (inRing === undefined) return mayLack || revision < current ? { heldBack: null } : null;
  if (inRing.isDeclined) return { heldBack: 'declined' };
  if (mayLack) return { heldBack: null };
  const heard = passes?.ring === inRing.ring ? passes : { decisions: 0, list: 0, risk: 0 };
  const isHeard = heard.decisions >= inRing.decisions;
  if (revision >= current) return isHeard ? null : { heldBack: null };
  if (!inRing.passes) return { heldBack: current > inRing.target ? 'newer' : null };
  const hasIt = isHeard && heard.list >= current && heard.risk >= inRing.risk;
  return hasIt ? null : { heldBack: null };
}
