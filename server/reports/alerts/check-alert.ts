/**
 * Checks whether an alert has new records to report, and queues its emails and its event. New records are those that entered the list since the
 * last check and match the view's criteria now. An older record that matches only since it changed is not new.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { type RiskEvent, riskEvents, rowsInMail } from '@patch/contract/reports/alert-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { addEvent } from '../../platform/events/event-store.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import { findKnownList } from '../../records/preferences/known-list.ts';
import type { RowSearch } from '../../records/search/search-service.ts';
import { toAlertItem } from './alert-item.ts';
import { type AlertContent, composeAlertEvent, composeAlertMail } from './alert-mail.ts';
import {
  addAlertMail,
  deleteLostMail,
  type LostMail,
  type ReportedRisk,
  readLastRecordId,
  readLostMails,
  recordCheck,
  recordProblem,
  recordRiskCapture,
  type Span,
  type StoredAlert,
} from './alert-store.ts';
import { isDailyDue, ownerZone } from './owner-zone.ts';
import {
  isRiskBusy,
  lacksBasis,
  type RiskState,
  readRiskStates,
  TooManyWatchedRecords,
  watchesRisk,
  writeRiskStates,
} from './risk-watch.ts';
import {
  type FoundRecords,
  findRecordsById,
  findRecordsInSpans,
  joinSpans,
  type ViewSearchParts,
} from './view-search.ts';

export interface PollParts {
  readonly database: Database;
  readonly rowSearch: RowSearch;
  readonly now: number;
  /** The time zone of the service; null without one. */
  readonly timeZone: string | null;
  readonly baseUrl: string | null;
  readonly installation: string;
}

/** @param busy The sources being synced; their new records are reported when the sync has ended. */
export function isDue(
  alert: StoredAlert,
  busy: ReadonlySet<string>,
  { now, timeZone }: Pick<PollParts, 'now' | 'timeZone'>,
): boolean {
  const { mode, hour, revision, seenRevision, lookedAt, riskRevision, seenRiskRevision } = alert;
  if (watchesRisk(alert) && isRiskBusy(busy)) return false;
  if (mode === 'digest') return isDailyDue(lookedAt, hour, alertZone(alert, timeZone), now);
  const source = findKnownList(alert.view.list)?.source ?? null;
  const hasNews =
    revision !== seenRevision || (watchesRisk(alert) && riskRevision !== seenRiskRevision);
  return hasNews && (source === null || !busy.has(source));
}

/**
 * Captures the risk states that the alert watches, where none were captured yet or the view, the threshold or the model has
 * changed since. Nothing is reported about them. Returns false when nothing had to be captured.
 */
export async function captureRiskStates(alert: StoredAlert, parts: PollParts): Promise<boolean> {
  if (!(await lacksBasis(alert, parts))) return false;
  const states = await findRisk(alert, parts);
  if (states === null) return true;
  await parts.database.transaction(async (tx) => {
    const unknown = states.filter(({ isKnown }) => !isKnown);
    // What has changed of a state that was captured before is reported with the next check.
    const isFirst = unknown.length === states.length;
    const seen = isFirst ? alert.riskRevision : alert.seenRiskRevision;
    if (await recordRiskCapture(tx, alert, seen)) await writeRiskStates(tx, alert, unknown);
  });
  return true;
}

/** Returns the number of queued emails. */
export async function checkAlert(alert: StoredAlert, parts: PollParts): Promise<number> {
  const { database, now } = parts;
  const recipients = getRecipients(alert);
  const list = findKnownList(alert.view.list);
  if (list === null) return 0;
  const channels = getChannels(alert.openChannels, alert);
  if (recipients.length + channels.length === 0) {
    await recordProblem(
      database,
      alert.id,
      getChannels(alert.channels, alert).length === 0
        ? 'The alert has no address to send to. New records are reported once it has one.'
        : 'The alert has no address to send to, and its channels are switched off. New records are reported once it has one, or a channel is switched on.',
    );
    return 0;
  }
  const states = await findRisk(alert, parts);
  if (states === null) return 0;
  const seenId = await readLastRecordId(database, list.key);
  const lost = await readLostMails(database, alert.id);
  const drafts = new Map<string, Draft>();
  /** Finds the records once for all readers of the same news. Returns false when the view cannot be searched. */
  const addDraft = async (spans: readonly Span[], risk: ReportedRisk, recipient: string | null) => {
    if (spans.length === 0 && Object.keys(risk).length === 0) return true;
    const key = JSON.stringify([spans, risk]);
    const found = drafts.get(key)?.found ?? (await findRecords(alert, { spans, risk }, parts));
    if (found === null) return false;
    const { recipients: to = [], isEvent = false } = drafts.get(key) ?? {};
    const news = { spans, risk, found, isEvent: isEvent || recipient === null };
    drafts.set(key, { ...news, recipients: recipient === null ? to : [...to, recipient] });
    return true;
  };
  const newSpan: Span = [alert.seenId, seenId];
  if (!(await addDraft(joinSpans([newSpan]), collectRisk(alert, states, []), null))) return 0;
  for (const recipient of recipients) {
    const ownLost = lost.filter((mail) => isRecipient(mail, recipient));
    const spans = joinSpans([...ownLost.flatMap((mail) => mail.spans), newSpan]);
    if (!(await addDraft(spans, collectRisk(alert, states, ownLost), recipient))) return 0;
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
    if (!(await recordCheck(tx, alert, noted))) return 0;
    await writeRiskStates(tx, alert, states);
    for (const { id } of lost) await deleteLostMail(tx, id);
    let queued = 0;
    for (const { spans, risk, recipients: to, found, isEvent } of drafts.values()) {
      const content = toContent(alert, list, found, parts);
      if (content === null) continue;
      if (isEvent) await addEvent(tx, composeAlertEvent(content, alert.owner.id, channels), now);
      const mail = to.length === 0 ? null : composeAlertMail(content);
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

/** Returns null when there is nothing to report. */
function toContent(
  alert: StoredAlert,
  list: CatalogueList,
  { records, risk }: Found,
  { baseUrl, installation, timeZone }: PollParts,
): AlertContent | null {
  const { view, search, epssAbove } = alert;
  const toShown = ({ found, totalCount, updateCount }: FoundRecords) => ({
    records: found.map((each) =>
      toAlertItem(list, each, search.columns, alertZone(alert, timeZone)),
    ),
    totalCount,
    updateCount,
  });
  const events = risk.filter(({ found }) => found.totalCount > 0);
  if (records.totalCount + events.length === 0) return null;
  return {
    list,
    view,
    search,
    ...toShown(records),
    risk: events.map(({ event, found }) => ({ event, epssAbove, ...toShown(found) })),
    baseUrl,
    installation,
  };
}

/** Returns the records whose risk is to be reported, including those of lost emails. A record reported as new is left out. */
function collectRisk(
  { seenId }: StoredAlert,
  states: readonly RiskState[],
  lost: readonly LostMail[],
): ReportedRisk {
  const byEvent: Partial<Record<RiskEvent, readonly number[]>> = {};
  for (const event of riskEvents) {
    const fresh = states.find((state) => state.event === event)?.fresh ?? [];
    const ids = new Set([
      ...lost.flatMap(({ risk }) => risk[event] ?? []),
      ...fresh.filter((id) => id <= seenId),
    ]);
    if (ids.size > 0) byEvent[event] = [...ids].toSorted((a, b) => a - b);
  }
  return byEvent;
}

/** News with the same records, for some recipients of emails and for the event. */
interface Draft {
  readonly spans: readonly Span[];
  readonly risk: ReportedRisk;
  readonly recipients: readonly string[];
  readonly isEvent: boolean;
  readonly found: Found;
}

interface Found {
  readonly records: FoundRecords;
  readonly risk: readonly { readonly event: RiskEvent; readonly found: FoundRecords }[];
}

const noRecords: FoundRecords = { found: [], totalCount: 0, updateCount: 0 };

async function findRecords(
  alert: StoredAlert,
  { spans, risk }: Pick<Draft, 'spans' | 'risk'>,
  parts: PollParts,
): Promise<Found | null> {
  const list = findKnownList(alert.view.list);
  if (list === null) return null;
  return withProblem(alert, parts, async (search, when) => {
    const options = { spans, most: rowsInMail, when };
    const events = [];
    for (const event of riskEvents) {
      const ids = risk[event] ?? [];
      const shown = { ids, most: rowsInMail, when };
      if (ids.length > 0)
        events.push({ event, found: await findRecordsById(search, list, alert.search, shown) });
    }
    const records =
      spans.length === 0
        ? noRecords
        : await findRecordsInSpans(search, list, alert.search, options);
    return { records, risk: events };
  });
}

const findRisk = (alert: StoredAlert, parts: PollParts) =>
  withProblem(alert, parts, (search, when) => readRiskStates(alert, search, when));

/** Null when the view cannot be searched; the alert then says why. */
async function withProblem<Result>(
  alert: StoredAlert,
  { database, rowSearch, now, timeZone }: PollParts,
  work: (search: ViewSearchParts, when: When) => Promise<Result>,
): Promise<Result | null> {
  const { userType, machineGroups } = alert.owner;
  const sight = { restricted: userType === 'Admin', groups: machineGroups };
  const when = { now, timeZone: alertZone(alert, timeZone) };
  try {
    return await work({ database, rowSearch, sight }, when);
  } catch (error) {
    const problem =
      error instanceof AppError
        ? `The view's filter is no longer valid: ${error.message} Save the view again.`
        : error instanceof TooManyWatchedRecords
          ? error.message
          : null;
    if (problem === null) throw error;
    await recordProblem(database, alert.id, problem);
    return null;
  }
}

/** Each address once. A former administrator may send only to their own address. */
function getRecipients({ ownAddress, furtherAddresses, owner }: StoredAlert): readonly string[] {
  const all = [
    ...(ownAddress && owner.email !== '' ? [owner.email] : []),
    ...(owner.userType === 'Admin' ? furtherAddresses : []),
  ];
  return [...new Map(all.map((address) => [fold(address), address])).values()];
}

/** A former administrator sends to no channel. */
const getChannels = (channels: readonly number[], { owner }: StoredAlert): readonly number[] =>
  owner.userType === 'Admin' ? channels : [];

const isRecipient = ({ recipient }: LostMail, address: string) => fold(recipient) === fold(address);

const alertZone = ({ owner, timeZone }: StoredAlert, service: string | null) =>
  ownerZone(owner.timezone, service, timeZone);
