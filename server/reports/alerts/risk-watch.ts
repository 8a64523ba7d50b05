/**
 * Watches risk for an alert: records of the view that become known exploited, or whose EPSS rises over a threshold. Stores the
 * records in such a state at each check, so that each is reported once, and again only after it has left the state.
 */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { vulnerabilityList } from '@patch/catalogue/risk/vulnerability-list.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import {
  type RiskEvent,
  riskEvents,
  watchableEvents,
} from '@patch/contract/reports/alert-endpoints.ts';
import { findKnownList } from '../../records/preferences/known-list.ts';
import type { StoredAlert } from './alert-store.ts';
import { findMatchingIds, type ViewSearchParts } from './view-search.ts';
import {
  maxWatchedRecords,
  readEpssModel,
  readRecordsInState,
  readRecordsOfChangedRisk,
  writeRecordsInState,
} from './watch-store.ts';

/** The sources whose runs change risk. */
const riskSources = ['kev', 'epss', 'cvss'];

/** The records in a state now, and those that came into it since the last check (`fresh`), not those that came into the view alone. */
export interface RiskState {
  readonly event: RiskEvent;
  readonly basis: string;
  /** False when the state was not captured for this basis before. */
  readonly isKnown: boolean;
  readonly current: readonly number[];
  readonly fresh: readonly number[];
}

/** Thrown when more records of the view than `maxWatchedRecords` are in a watched state. */
export class TooManyWatchedRecords extends Error {
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
 * Returns the current states that the alert watches. `fresh` is empty when the state was captured for another basis: another
 * view, threshold or EPSS model, which changes all scores on one day.
 * @throws TooManyWatchedRecords
 * @throws AppError when the view's query has become invalid.
 */
export async function readRiskStates(
  alert: StoredAlert,
  parts: ViewSearchParts,
  when: When,
): Promise<readonly RiskState[]> {
  const list = findKnownList(alert.view.list);
  if (list === null) return [];
  const model = alert.epssAbove === null ? null : await readEpssModel(parts.database);
  const states: RiskState[] = [];
  for (const event of riskEvents.filter((one) => toCondition(one, list, alert) !== null)) {
    const condition = toCondition(event, list, alert);
    if (condition === null) continue;
    const current = await findMatchingIds(parts, list, alert.search, { condition, when });
    if (current.length > maxWatchedRecords) throw new TooManyWatchedRecords();
    const basis = getBasis(event, alert, model);
    const isKnown = basis === storedBasis(event, alert);
    const before = isKnown ? await readRecordsInState(parts.database, alert.id, event) : null;
    const others = before === null ? [] : current.filter((id) => !before.has(id));
    const fresh = await keepOfChangedRisk(parts.database, list, event, alert, others);
    states.push({ event, basis, isKnown, current, fresh });
  }
  return states;
}

/**
 * Keeps the records whose risk has changed since the last check: others came into the view by another criterion, as by a machine that now
 * misses them. Scores have no revision of their own: they count as changed when any risk has.
 */
async function keepOfChangedRisk(
  database: ViewSearchParts['database'],
  list: ListDefinition,
  event: RiskEvent,
  { riskRevision, seenRiskRevision }: StoredAlert,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0 || riskRevision <= seenRiskRevision) return [];
  if (event === 'epss' || list.key === vulnerabilityList.key) return ids;
  const changed = await readRecordsOfChangedRisk(database, ids, seenRiskRevision);
  return ids.filter((id) => changed.has(id));
}

/** Returns whether a watched state must be captured before anything can be reported. */
export async function lacksBasis(
  alert: StoredAlert,
  { database }: Pick<ViewSearchParts, 'database'>,
): Promise<boolean> {
  if (!watchesRisk(alert)) return false;
  const model = alert.epssAbove === null ? null : await readEpssModel(database);
  return (
    (alert.exploited && getBasis('exploited', alert, model) !== alert.exploitedBasis) ||
    (alert.epssAbove !== null && getBasis('epss', alert, model) !== alert.epssBasis)
  );
}

/** Requires the transaction that queues the emails. */
export async function writeRiskStates(
  tx: Parameters<typeof writeRecordsInState>[0],
  { id }: Pick<StoredAlert, 'id'>,
  states: readonly RiskState[],
): Promise<void> {
  for (const state of states) await writeRecordsInState(tx, id, state);
}

const storedBasis = (event: RiskEvent, { exploitedBasis, epssBasis }: StoredAlert) =>
  event === 'exploited' ? exploitedBasis : epssBasis;

function getBasis(
  event: RiskEvent,
  { search, epssAbove }: StoredAlert,
  model: string | null,
): string {
  const { criteria, keyword } = search;
  return JSON.stringify([criteria, keyword, ...(event === 'epss' ? [epssAbove, model] : [])]);
}

/** Returns null when the alert does not watch the event, or when the list does not show it. */
function toCondition(
  event: RiskEvent,
  list: ListDefinition,
  { exploited, epssAbove }: Pick<StoredAlert, 'exploited' | 'epssAbove'>,
): Condition | null {
  const name = watchableEvents(list)[event];
  if (name === undefined) return null;
  const field = { name, definition: getField(list, name) };
  if (event === 'epss')
    return epssAbove === null
      ? null
      : { ...field, kind: 'compared', comparison: '>', value: epssAbove };
  if (!exploited) return null;
  return field.definition.kind === 'flag'
    ? { ...field, kind: 'compared', comparison: '=', value: true }
    : { ...field, kind: 'null', negated: true };
}
