/**
 * What an alert watches beside new records: records of the view that become known exploited, or whose EPSS rises over a threshold.
 * The records in such a state at the last check are on record, so that each is told once, and again only after it has left the state.
 */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type RiskEvent, riskEvents, watchableEvents } from '@patch/contract/alert-endpoints.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { knownListOf } from '../../records/preferences/known-list.ts';
import type { StoredAlert } from './alert-store.ts';
import {
  epssModel,
  maxWatchedRecords,
  recordsInState,
  writeRecordsInState,
} from './risk-watch-store.ts';
import { matchingIds, type ViewSearchParts, type WhenOfView } from './view-search.ts';

/** The sources whose runs change what is watched. */
const riskSources = ['kev', 'epss', 'cvss'];

/** Records in a state now, and those of them that were not at the last check. */
export interface RiskState {
  readonly event: RiskEvent;
  readonly basis: string;
  /** False: it was not taken of this basis before. */
  readonly isKnown: boolean;
  readonly current: readonly number[];
  readonly fresh: readonly number[];
}

/** A view in which more records than this are in a watched state cannot be watched. */
export class TooManyWatched extends Error {
  override readonly name = 'TooManyWatched';
  constructor() {
    super(
      `More than ${maxWatchedRecords.toLocaleString('en')} records of the view are known exploited or above the EPSS threshold. Narrow the view or raise the threshold.`,
    );
  }
}

export const watchesRisk = ({ exploited, epssAbove }: StoredAlert): boolean =>
  exploited || epssAbove !== null;

export const isRiskBusy = (busy: ReadonlySet<string>): boolean =>
  riskSources.some((source) => busy.has(source));

/**
 * The states that the alert watches, as they are now. `fresh` is empty where the state was taken of another basis: another view,
 * threshold or model of EPSS, which moves all scores on one day. Throws TooManyWatched, and an AppError where the view cannot be
 * searched any longer.
 */
export async function riskStates(
  alert: StoredAlert,
  parts: ViewSearchParts,
  when: WhenOfView,
): Promise<readonly RiskState[]> {
  const list = knownListOf(alert.view.list);
  if (list === null) return [];
  const model = alert.epssAbove === null ? null : await epssModel(parts.database);
  const states: RiskState[] = [];
  for (const event of riskEvents.filter((one) => conditionOf(one, list, alert) !== null)) {
    const condition = conditionOf(event, list, alert);
    if (condition === null) continue;
    const current = await matchingIds(parts, list, alert.search, { condition, when });
    if (current.length > maxWatchedRecords) throw new TooManyWatched();
    const basis = basisOf(event, alert, model);
    const isKnown = basis === storedBasis(event, alert);
    const before = isKnown ? await recordsInState(parts.database, alert.id, event) : null;
    const fresh = before === null ? [] : current.filter((id) => !before.has(id));
    states.push({ event, basis, isKnown, current, fresh });
  }
  return states;
}

/** Whether a watched state has to be taken before anything can be told. */
export async function lacksBasis(
  alert: StoredAlert,
  { database }: Pick<ViewSearchParts, 'database'>,
): Promise<boolean> {
  if (!watchesRisk(alert)) return false;
  const model = alert.epssAbove === null ? null : await epssModel(database);
  return (
    (alert.exploited && basisOf('exploited', alert, model) !== alert.exploitedBasis) ||
    (alert.epssAbove !== null && basisOf('epss', alert, model) !== alert.epssBasis)
  );
}

/** Inside the transaction that queues the emails. */
export async function noteRiskStates(
  tx: Parameters<typeof writeRecordsInState>[0],
  { id }: Pick<StoredAlert, 'id'>,
  states: readonly RiskState[],
): Promise<void> {
  for (const state of states) await writeRecordsInState(tx, id, state);
}

const storedBasis = (event: RiskEvent, { exploitedBasis, epssBasis }: StoredAlert) =>
  event === 'exploited' ? exploitedBasis : epssBasis;

function basisOf(
  event: RiskEvent,
  { search, epssAbove }: StoredAlert,
  model: string | null,
): string {
  const { criteria, keyword } = search;
  return JSON.stringify([criteria, keyword, ...(event === 'epss' ? [epssAbove, model] : [])]);
}

/** Null where the alert does not watch the event, or the list does not show it. */
function conditionOf(
  event: RiskEvent,
  list: ListDefinition,
  { exploited, epssAbove }: Pick<StoredAlert, 'exploited' | 'epssAbove'>,
): Condition | null {
  const name = watchableEvents(list)[event];
  if (name === undefined) return null;
  const of = { name, definition: fieldOf(list, name) };
  if (event === 'epss')
    return epssAbove === null
      ? null
      : { ...of, kind: 'compared', comparison: '>', value: epssAbove };
  if (!exploited) return null;
  return of.definition.kind === 'flag'
    ? { ...of, kind: 'compared', comparison: '=', value: true }
    : { ...of, kind: 'null', negated: true };
}
