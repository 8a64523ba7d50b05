/**
 * Checks whether an alert has new records to report, and queues its emails. New records are those that entered the list since
 * the last check and match the view's criteria now. An older record that matches only since it changed is not new.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { type RiskEvent, riskEvents, rowsInMail } from '@patch/contract/alert-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import { knownListOf } from '../../records/preferences/known-list.ts';
import type { RowSearch } from '../../records/search/restricted-search.ts';
import { alertMail } from './alert-mail.ts';
import {
  addAlertMail,
  forgetMail,
  type LostMail,
  lastRecord,
  lostMails,
  notePoll,
  noteProblem,
  noteRiskTaken,
  type RiskTold,
  type Span,
  type StoredAlert,
} from './alert-store.ts';
import { isDailyDue, ownerZone } from './owner-zone.ts';
import {
  isRiskBusy,
  lacksBasis,
  noteRiskStates,
  type RiskState,
  riskStates,
  TooManyWatched,
  watchesRisk,
} from './risk-watch.ts';
import { toAlertItem } from './told-record.ts';
import {
  type FoundRecords,
  joined,
  recordsNumbered,
  recordsWithin,
  type ViewSearchParts,
  type WhenOfView,
} from './view-search.ts';

export interface PollParts {
  readonly database: Database;
  readonly rowSearch: RowSearch;
  readonly now: number;
  /** Of the service; null without one. */
  readonly timeZone: string | null;
  readonly baseUrl: string | null;
  readonly installation: string;
}

/** `busy`: the sources being synced; their new records are reported when the sync has ended. */
export function isDue(
  alert: StoredAlert,
  busy: ReadonlySet<string>,
  { now, timeZone }: Pick<PollParts, 'now' | 'timeZone'>,
): boolean {
  const { mode, hour, revision, seenRevision, lookedAt, riskRevision, seenRiskRevision } = alert;
  if (watchesRisk(alert) && isRiskBusy(busy)) return false;
  if (mode === 'digest') return isDailyDue(lookedAt, hour, zoneOf(alert, timeZone), now);
  const source = knownListOf(alert.view.list)?.source ?? null;
  const hasNews =
    revision !== seenRevision || (watchesRisk(alert) && riskRevision !== seenRiskRevision);
  return hasNews && (source === null || !busy.has(source));
}

/**
 * Takes the states of risk that the alert watches, where they were not taken yet or were taken of another view, threshold or model:
 * nothing is told of them. False where nothing had to be taken.
 */
export async function takeRiskStates(alert: StoredAlert, parts: PollParts): Promise<boolean> {
  if (!(await lacksBasis(alert, parts))) return false;
  const states = await findRisk(alert, parts);
  if (states === null) return true;
  await parts.database.transaction(async (tx) => {
    const unknown = states.filter(({ isKnown }) => !isKnown);
    if (await noteRiskTaken(tx, alert)) await noteRiskStates(tx, alert, unknown);
  });
  return true;
}

/** Returns the number of queued emails. */
export async function look(alert: StoredAlert, parts: PollParts): Promise<number> {
  const { database, now } = parts;
  const recipients = recipientsOf(alert);
  const list = knownListOf(alert.view.list);
  if (list === null) return 0;
  if (recipients.length === 0) {
    await noteProblem(
      database,
      alert.id,
      'There is no address to send to. New records are reported once there is one.',
    );
    return 0;
  }
  const states = await findRisk(alert, parts);
  if (states === null) return 0;
  const seenId = await lastRecord(database, list.key);
  const lost = await lostMails(database, alert.id);
  const letters = new Map<string, Letter>();
  for (const recipient of recipients) {
    const spans = joined([
      ...lost.filter((mail) => isTo(mail, recipient)).flatMap((mail) => mail.spans),
      [alert.seenId, seenId],
    ]);
    const ofRecipient = lost.filter((mail) => isTo(mail, recipient));
    const risk = toldRisk(alert, states, ofRecipient);
    if (spans.length === 0 && Object.keys(risk).length === 0) continue;
    const key = JSON.stringify([spans, risk]);
    const letter = letters.get(key) ?? {
      spans,
      risk,
      recipients: [],
      found: await find(alert, { spans, risk }, parts),
    };
    if (letter.found === null) return 0;
    letters.set(key, { ...letter, recipients: [...letter.recipients, recipient] });
  }
  return database.transaction(async (tx) => {
    // A lost email stays a problem until it is sent; any other problem that prevented this check is now solved.
    const problem = lost.length > 0 ? alert.problem : '';
    const noted = {
      seenId,
      seenRevision: alert.revision,
      seenRiskRevision: alert.riskRevision,
      now,
      problem,
    };
    if (!(await notePoll(tx, alert, noted))) return 0;
    await noteRiskStates(tx, alert, states);
    for (const { id } of lost) await forgetMail(tx, id);
    let queued = 0;
    for (const { spans, risk, recipients: to, found } of letters.values()) {
      const mail = found === null ? null : mailOf(alert, list, found, parts);
      if (mail === null) continue;
      for (const recipient of to) {
        const mailId = await addMail(tx, { recipient, ...mail }, now);
        await addAlertMail(tx, { alertId: alert.id, recipient, spans, risk, mailId });
        queued += 1;
      }
    }
    return queued;
  });
}

/** Null when there is nothing to tell. */
function mailOf(
  alert: StoredAlert,
  list: CatalogueList,
  { records, risk }: Found,
  { baseUrl, installation, timeZone }: PollParts,
) {
  const { view, search, epssAbove } = alert;
  const told = ({ found, totalCount, updateCount }: FoundRecords) => ({
    records: found.map((each) => toAlertItem(list, each, search.columns, zoneOf(alert, timeZone))),
    totalCount,
    updateCount,
  });
  const events = risk.filter(({ found }) => found.totalCount > 0);
  if (records.totalCount + events.length === 0) return null;
  return alertMail({
    list,
    view,
    search,
    ...told(records),
    risk: events.map(({ event, found }) => ({ event, epssAbove, ...told(found) })),
    baseUrl,
    installation,
  });
}

/** The records whose risk is to be told, with those of lost emails. A record that is told as new is not told twice. */
function toldRisk(
  { seenId }: StoredAlert,
  states: readonly RiskState[],
  lost: readonly LostMail[],
): RiskTold {
  const told: Partial<Record<RiskEvent, readonly number[]>> = {};
  for (const event of riskEvents) {
    const fresh = states.find((state) => state.event === event)?.fresh ?? [];
    const ids = new Set([
      ...lost.flatMap(({ risk }) => risk[event] ?? []),
      ...fresh.filter((id) => id <= seenId),
    ]);
    if (ids.size > 0) told[event] = [...ids].toSorted((a, b) => a - b);
  }
  return told;
}

interface Letter {
  readonly spans: readonly Span[];
  readonly risk: RiskTold;
  readonly recipients: readonly string[];
  /** Null: the view's query is no longer valid. */
  readonly found: Found | null;
}

interface Found {
  readonly records: FoundRecords;
  readonly risk: readonly { readonly event: RiskEvent; readonly found: FoundRecords }[];
}

const noRecords: FoundRecords = { found: [], totalCount: 0, updateCount: 0 };

async function find(
  alert: StoredAlert,
  { spans, risk }: Pick<Letter, 'spans' | 'risk'>,
  parts: PollParts,
): Promise<Found | null> {
  const list = knownListOf(alert.view.list);
  if (list === null) return null;
  return withProblem(alert, parts, async (search, when) => {
    const asked = { spans, most: rowsInMail, when };
    const events = [];
    for (const event of riskEvents) {
      const ids = risk[event] ?? [];
      const shown = { ids, most: rowsInMail, when };
      if (ids.length > 0)
        events.push({ event, found: await recordsNumbered(search, list, alert.search, shown) });
    }
    const records =
      spans.length === 0 ? noRecords : await recordsWithin(search, list, alert.search, asked);
    return { records, risk: events };
  });
}

const findRisk = (alert: StoredAlert, parts: PollParts) =>
  withProblem(alert, parts, (search, when) => riskStates(alert, search, when));

/** Null when the view cannot be searched; the alert then says why. */
async function withProblem<Result>(
  alert: StoredAlert,
  { database, rowSearch, now, timeZone }: PollParts,
  work: (search: ViewSearchParts, when: WhenOfView) => Promise<Result>,
): Promise<Result | null> {
  const seesRestricted = alert.owner.userType === 'Admin';
  const when = { now, timeZone: zoneOf(alert, timeZone) };
  try {
    return await work({ database, rowSearch, seesRestricted }, when);
  } catch (error) {
    const problem =
      error instanceof AppError
        ? `The view's filter is no longer valid: ${error.message} Save the view again.`
        : error instanceof TooManyWatched
          ? error.message
          : null;
    if (problem === null) throw error;
    await noteProblem(database, alert.id, problem);
    return null;
  }
}

/** Each address once. A former administrator may send only to their own address. */
function recipientsOf({ ownAddress, furtherAddresses, owner }: StoredAlert): readonly string[] {
  const all = [
    ...(ownAddress && owner.email !== '' ? [owner.email] : []),
    ...(owner.userType === 'Admin' ? furtherAddresses : []),
  ];
  return [...new Map(all.map((address) => [fold(address), address])).values()];
}

const isTo = ({ recipient }: LostMail, address: string) => fold(recipient) === fold(address);

const zoneOf = ({ owner, timeZone }: StoredAlert, service: string | null) =>
  ownerZone(owner.timezone, service, timeZone);
