/** What licensed clients have not fetched yet: of one client, of all, and of one record. Each figure is the total of a search that its list can be asked as well. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  type CatalogueList,
  catalogueLists,
  type ListKey,
  listOfKey,
} from '@patch/catalogue/lists.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import {
  type BehindClient,
  clientExposureEndpoint,
  type ListExposure,
  maxClientsNamed,
  notYetFetchedEndpoint,
  recordNotFetchedEndpoint,
} from '@patch/contract/licensed-client-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { askerOf, type SearchDesk } from '../../records/search/search-desk.ts';
import { criteriaSearch } from '../../records/search/update-counts.ts';
import { allPositions, type ClientPosition, positionsOf } from './client-position-store.ts';
import { isLicensed, listsOf } from './client-state.ts';
import { newerThan, revisionOfRecord } from './exposure-store.ts';
import type { ClientRoutes } from './licensed-client-routes.ts';
import { allClients, type KeptClient, readClient } from './licensed-client-store.ts';

/** Of a client that has never asked. */
const nothingYet = -1;

export function exposureRoutes(
  route: RouteRegistrar,
  { database, clock, desk }: ClientRoutes & { readonly desk: SearchDesk },
): void {
  const { counts } = desk;

  route(clientExposureEndpoint, (request) =>
    desk.runLight(askerOf(request), 'exposure', () => exposureOfClient(request.params.id)),
  );

  async function exposureOfClient(id: number) {
    const client = await readClient(database, id);
    if (client === null) throw new AppError('not_found', `There is no licensed client ${id}.`);
    const positions = await positionsOf(database, id);
    const lists: ListExposure[] = [];
    for (const list of listsOf(client)) {
      lists.push(
        await exposureOf(
          list,
          positions.find((position) => position.list === list.key),
        ),
      );
    }
    return {
      clientId: id,
      clientName: client.clientName,
      critical: await updatesOf(lists.map(({ critical }) => critical)),
      important: await updatesOf(lists.map(({ important }) => important)),
      lists,
    };
  }

  route(notYetFetchedEndpoint, (request) =>
    desk.runLight(askerOf(request), 'exposure of all', exposureOfAll),
  );

  async function exposureOfAll() {
    const { licensed, positions } = await licensedClients();
    const objList = [];
    for (const list of catalogueLists.filter(({ source }) => source !== null)) {
      objList.push({
        list: list.key,
        label: list.label,
        ...(await behindOf(list, licensed, positions)),
      });
    }
    return { objList, totalCount: objList.length };
  }

  route(recordNotFetchedEndpoint, async ({ params: { list: key, id } }) => {
    const list = catalogueLists.find((one) => one.key === key && one.source !== null);
    const revision = list === undefined ? null : await revisionOfRecord(database, list, id);
    if (list === undefined || revision === null)
      throw new AppError('not_found', `No list '${key}' has a record ${id} that is listed.`);
    const { licensed, positions } = await licensedClients();
    const clients = licensed.filter((client) => listsOf(client).includes(list));
    const objList = clients.flatMap(({ id: clientId, clientName }) => {
      const position = positionIn(positions, clientId, list);
      return (position?.revision ?? nothingYet) < revision
        ? [{ id: clientId, clientName, fetchedOn: position?.fetchedOn ?? null }]
        : [];
    });
    return { objList, totalCount: objList.length, clients: clients.length };
  });

  async function exposureOf(
    list: CatalogueList,
    position: ClientPosition | undefined,
  ): Promise<ListExposure> {
    const newer: FieldCriterion[] =
      position === undefined || position.revision < 0
        ? []
        : [{ paramName: 'revision', operator: 'greater_than', value: position.revision }];
    const severity = severityOf(list);
    const rated = async (word: string) =>
      severity === null
        ? null
        : figure(list, [{ paramName: severity, operator: 'equal', value: word }, ...newer]);
    return {
      list: list.key,
      label: list.label,
      fetchedOn: position?.fetchedOn ?? null,
      all: await figure(list, newer),
      critical: await rated('Critical'),
      important: await rated('Important'),
    };
  }

  const when = () => ({ now: clock(), timeZone: 'UTC' });
  const figure = (list: ListDefinition, criteria: FieldCriterion[]) =>
    counts.figure(list, criteria, when());

  /** Of all figures together: what several lists of a source tell of counts once. */
  async function updatesOf(figures: readonly (Figure | null)[]): Promise<number> {
    const searches = figures
      .filter((each): each is Figure => each !== null && each.totalCount > 0)
      .map(({ list, criteria }) => criteriaSearch(listOfKey(list as ListKey), criteria, when()));
    let updates = 0;
    for (const ofSource of Map.groupBy(searches, ({ list }) => list.source).values())
      updates += await counts.count(ofSource);
    return updates;
  }

  async function licensedClients() {
    const clients = await allClients(database);
    const positions = new Map(
      (await allPositions(database)).map((position) => [
        placeOf(position.clientId, position.list),
        position,
      ]),
    );
    return { licensed: clients.filter((client) => isLicensed(client, clock())), positions };
  }

  async function behindOf(
    list: CatalogueList,
    licensed: readonly KeptClient[],
    positions: Positions,
  ) {
    const clients = licensed
      .filter((client) => listsOf(client).includes(list))
      .map((client) => ({ client, position: positionIn(positions, client.id, list) }));
    const severity = severityOf(list);
    const newer = await newerThan(
      database,
      list,
      severity,
      clients.map(({ position }) => position?.revision ?? nothingYet),
    );
    const behind = clients
      .map(({ client: { id, clientName }, position }): BehindClient => {
        const lacks = newer.get(position?.revision ?? nothingYet) ?? {
          all: 0,
          critical: 0,
          important: 0,
        };
        return { id, clientName, fetchedOn: position?.fetchedOn ?? null, ...lacks };
      })
      .filter(({ all }) => all > 0)
      .toSorted((a, b) => b.critical - a.critical || b.important - a.important || b.all - a.all);
    return {
      hasSeverity: severity !== null,
      clients: clients.length,
      behind: behind.length,
      lackCritical: behind.filter(({ critical }) => critical > 0).length,
      lackImportant: behind.filter(({ important }) => important > 0).length,
      notYetFetchedBy: behind.slice(0, maxClientsNamed),
    };
  }
}

/** By client and list: there may be thousands of clients, each with a position in each list. */
type Positions = ReadonlyMap<string, ClientPosition>;

const placeOf = (clientId: number, list: string) => `${clientId} ${list}`;
const positionIn = (positions: Positions, clientId: number, list: CatalogueList) =>
  positions.get(placeOf(clientId, list.key));

/** The field that rates the list's records, by which they can be asked; null where there is none. */
function severityOf(list: ListDefinition): string | null {
  const field = Object.keys(list.fields).find((name) => list.fields[name]?.look === 'severity');
  return field !== undefined && list.searchable.includes(field) ? field : null;
}
