/**
 * Checks whether an alert has new records to report, and queues its emails. New records are those that entered the list since
 * the last check and match the view's criteria now. An older record that matches only since it changed is not new.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { rowsInMail } from '@patch/contract/alert-endpoints.ts';
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
  type Span,
  type StoredAlert,
} from './alert-store.ts';
import { lastTimeOf, ownerZone } from './owner-zone.ts';
import { toAlertItem } from './told-record.ts';
import { type FoundRecords, joined, recordsWithin } from './view-search.ts';

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
  const { mode, hour, revision, seenRevision, lookedAt } = alert;
  if (mode === 'digest') return lookedAt < lastTimeOf(hour, zoneOf(alert, timeZone), now);
  const source = knownListOf(alert.view.list)?.source ?? null;
  return revision !== seenRevision && (source === null || !busy.has(source));
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
  const seenId = await lastRecord(database, list.key);
  const lost = await lostMails(database, alert.id);
  const letters = new Map<string, Letter>();
  for (const recipient of recipients) {
    const spans = joined([
      ...lost.filter((mail) => isTo(mail, recipient)).flatMap((mail) => mail.spans),
      [alert.seenId, seenId],
    ]);
    if (spans.length === 0) continue;
    const key = JSON.stringify(spans);
    const letter = letters.get(key) ?? {
      spans,
      recipients: [],
      found: await find(alert, spans, parts),
    };
    if (letter.found === null) return 0;
    letters.set(key, { ...letter, recipients: [...letter.recipients, recipient] });
  }
  return database.transaction(async (tx) => {
    // A lost email stays a problem until it is sent; any other problem that prevented this check is now solved.
    const problem = lost.length > 0 ? alert.problem : '';
    if (!(await notePoll(tx, alert, { seenId, seenRevision: alert.revision, now, problem })))
      return 0;
    for (const { id } of lost) await forgetMail(tx, id);
    let queued = 0;
    for (const { spans, recipients: to, found } of letters.values()) {
      if (found === null || found.totalCount === 0) continue;
      const { totalCount, updateCount } = found;
      const records = found.found.map((each) =>
        toAlertItem(list, each, alert.search.columns, zoneOf(alert, parts.timeZone)),
      );
      const { view, search } = alert;
      const { baseUrl, installation } = parts;
      const mail = alertMail({
        list,
        view,
        search,
        records,
        totalCount,
        updateCount,
        baseUrl,
        installation,
      });
      for (const recipient of to) {
        const mailId = await addMail(tx, { recipient, ...mail }, now);
        await addAlertMail(tx, { alertId: alert.id, recipient, spans, mailId });
        queued += 1;
      }
    }
    return queued;
  });
}

interface Letter {
  readonly spans: readonly Span[];
  readonly recipients: readonly string[];
  /** Null: the view's query is no longer valid. */
  readonly found: FoundRecords | null;
}

async function find(
  alert: StoredAlert,
  spans: readonly Span[],
  { database, rowSearch, now, timeZone }: PollParts,
): Promise<FoundRecords | null> {
  const list = knownListOf(alert.view.list);
  if (list === null) return null;
  try {
    const when = { now, timeZone: zoneOf(alert, timeZone) };
    return await recordsWithin(
      { database, rowSearch, seesRestricted: alert.owner.userType === 'Admin' },
      list,
      alert.search,
      {
        spans,
        most: rowsInMail,
        when,
      },
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await noteProblem(
      database,
      alert.id,
      `The view's filter is no longer valid: ${error.message} Save the view again.`,
    );
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
