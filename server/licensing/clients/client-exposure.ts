/** What one licensed client has not fetched yet, by list. Each figure is the total of a search that can be repeated in its list. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { severityField } from '@patch/catalogue/definition/record-name.ts';
import { type CatalogueList, type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { ClientExposure, ListExposure } from '@patch/contract/licensed-client-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { criteriaSearch, type UpdateCounts } from '../../records/search/update-counts.ts';
import type { ClientContext } from './client-context.ts';
import { type ClientPosition, positionsOf } from './client-position-store.ts';
import { listsOf } from './client-state.ts';
import { readClient } from './licensed-client-store.ts';

export interface CountContext extends Pick<ClientContext, 'clock'> {
  readonly counts: Pick<UpdateCounts, 'figure' | 'count'>;
}

/** Throws an AppError `not_found` when there is no such client. */
export async function exposureOfClient(
  context: CountContext & Pick<ClientContext, 'database'>,
  id: number,
): Promise<ClientExposure> {
  const { database } = context;
  const client = await readClient(database, id);
  if (client === null) throw new AppError('not_found', `There is no licensed client ${id}.`);
  const positions = new Map(
    (await positionsOf(database, id)).map((position) => [position.list, position]),
  );
  const lists: ListExposure[] = [];
  for (const list of listsOf(client))
    lists.push(await exposureOfList(context, list, positions.get(list.key)));
  return {
    clientId: id,
    clientName: client.clientName,
    critical: await countUpdates(
      context,
      lists.map(({ critical }) => critical),
    ),
    important: await countUpdates(
      context,
      lists.map(({ important }) => important),
    ),
    lists,
  };
}

/** A client without a position has never asked for the list and lacks all its records. */
export async function exposureOfList(
  { counts, clock }: CountContext,
  list: CatalogueList,
  position: Pick<ClientPosition, 'revision' | 'fetchedOn'> | undefined,
): Promise<ListExposure> {
  const newer: FieldCriterion[] =
    position === undefined || position.revision < 0
      ? []
      : [{ paramName: 'revision', operator: 'greater_than', value: position.revision }];
  const severity = searchableSeverity(list);
  const figure = (criteria: FieldCriterion[]) => counts.figure(list, criteria, inUtc(clock()));
  const rated = async (word: string) =>
    severity === null
      ? null
      : figure([{ paramName: severity, operator: 'equal', value: word }, ...newer]);
  return {
    list: list.key,
    label: list.label,
    fetchedOn: position?.fetchedOn ?? null,
    all: await figure(newer),
    critical: await rated('Critical'),
    important: await rated('Important'),
  };
}

/** The number of updates that the figures find together: an update in several lists of a source counts once. */
export async function countUpdates(
  { counts, clock }: CountContext,
  figures: readonly (Figure | null)[],
): Promise<number> {
  const searches = figures
    .filter((each): each is Figure => each !== null && each.totalCount > 0)
    .map(({ list, criteria }) =>
      criteriaSearch(listOfKey(list as ListKey), criteria, inUtc(clock())),
    );
  let updates = 0;
  for (const ofSource of Map.groupBy(searches, ({ list }) => list.source).values())
    updates += await counts.count(ofSource);
  return updates;
}

/** The severity field of a list; null when there is none, or when it cannot be searched by. */
export function searchableSeverity(list: ListDefinition): string | null {
  const field = severityField(list);
  return field !== undefined && list.searchable.includes(field) ? field : null;
}

const inUtc = (now: number) => ({ now, timeZone: 'UTC' });
