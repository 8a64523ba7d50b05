/** Counts the updates that one licensed client has not fetched, by list. Each figure is the total of a search of its list. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { severityField } from '@patch/catalogue/definition/record-name.ts';
import { type CatalogueList, getList, type ListKey } from '@patch/catalogue/lists.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type {
  ClientExposure,
  ListExposure,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { createCriteriaSearch, type UpdateCounts } from '../../records/search/update-counts.ts';
import type { ClientContext } from './client-context.ts';
import { type ClientPosition, readPositions } from './client-position-store.ts';
import { licensedLists } from './client-state.ts';
import { readClient } from './licensed-client-store.ts';
import { readDeclined } from './ring-record-store.ts';

export interface CountContext extends Pick<ClientContext, 'clock'> {
  readonly counts: Pick<UpdateCounts, 'countFigure' | 'count'>;
}

/** @throws AppError `not_found` when the client does not exist. */
export async function countClientExposure(
  context: CountContext & Pick<ClientContext, 'database'>,
  id: number,
): Promise<ClientExposure> {
  const { database } = context;
  const client = await readClient(database, id);
  if (client === null) throw new AppError('not_found', `Licensed client ${id} does not exist.`);
  const positions = new Map(
    (await readPositions(database, id)).map((position) => [position.list, position]),
  );
  const declined = await readDeclined(database);
  const lists: ListExposure[] = [];
  for (const list of licensedLists(client))
    lists.push({
      ...(await countListExposure(context, list, positions.get(list.key))),
      declined: declined(client.ring?.id ?? null, list.key),
    });
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

/** A client without a position has never fetched the list and lacks all its records. */
async function countListExposure(
  { counts, clock }: CountContext,
  list: CatalogueList,
  position: Pick<ClientPosition, 'revision' | 'fetchedOn'> | undefined,
): Promise<Omit<ListExposure, 'declined'>> {
  const newer: FieldCriterion[] =
    position === undefined || position.revision < 0
      ? []
      : [{ paramName: 'revision', operator: 'greater_than', value: position.revision }];
  const severity = searchableSeverity(list);
  const figure = (criteria: FieldCriterion[]) => counts.countFigure(list, criteria, inUtc(clock()));
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

/** Counts the updates that the figures find together: an update in several lists of a source counts once. */
export async function countUpdates(
  { counts, clock }: CountContext,
  figures: readonly (Figure | null)[],
): Promise<number> {
  const searches = figures
    .filter((each): each is Figure => each !== null && each.totalCount > 0)
    .map(({ list, criteria }) =>
      createCriteriaSearch(getList(list as ListKey), criteria, inUtc(clock())),
    );
  let updates = 0;
  for (const ofSource of Map.groupBy(searches, ({ list }) => list.source).values())
    updates += await counts.count(ofSource);
  return updates;
}

/** Returns the severity field of a list; null when the list has none or cannot be searched by it. */
export function searchableSeverity(list: ListDefinition): string | null {
  const field = severityField(list);
  return field !== undefined && list.searchable.includes(field) ? field : null;
}

const inUtc = (now: number) => ({ now, timeZone: 'UTC' });
