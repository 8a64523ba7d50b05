/** Queues the emails of reports whose moment has come. A moment that was missed is sent once, and only the last one. */
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { isEmailConfigured } from '../../platform/mail/email-config-store.ts';
import { addMail } from '../../platform/mail/mail-outbox-store.ts';
import { isMissed } from '../../reports/alerts/owner-zone.ts';
import { type GroupReportParts, readGroupReport } from './read-group-report.ts';
import { composeReportMail, type ReportMailContent } from './report-mail.ts';
import {
  readReportMails,
  recordMails,
  recordMoment,
  recordProblem,
  type StoredReportMail,
} from './report-mail-store.ts';
import { reportMailTimes } from './report-mail-times.ts';

export interface QueueParts
  extends GroupReportParts,
    Pick<ReportMailContent, 'baseUrl' | 'installation'> {
  readonly log: Pick<Log, 'warn'>;
}

/** Returns the number of queued emails. Without a mail server no moment is done. */
export async function queueReportMails(parts: QueueParts): Promise<number> {
  const { database, now, log } = parts;
  const due = (await readReportMails(database)).filter((mail) =>
    isMissed(mail.doneTime, reportMailTimes(mail, now).last, now),
  );
  if (due.length === 0 || !(await isEmailConfigured(database))) return 0;
  let queued = 0;
  // A failure of one report does not prevent the others.
  for (const mail of due)
    queued += await queueOne(mail, parts).catch(async (error: unknown) => {
      const isRefused = error instanceof AppError;
      if (!isRefused) log.warn({ err: error, reportMail: mail.id }, 'a report could not be sent');
      const problem = isRefused ? error.message : 'The report could not be read; the log says why.';
      await recordProblem(database, mail.id, problem);
      return 0;
    });
  return queued;
}

/** Reads the report as its page does. The moment is done in the transaction that queues its emails. */
async function queueOne(
  mail: StoredReportMail,
  { baseUrl, installation, ...parts }: QueueParts,
): Promise<number> {
  const { database, now } = parts;
  const named = mail.group === null ? undefined : `#${mail.group.id}`;
  const report = await readGroupReport(parts, named, mail.days);
  const composed = composeReportMail({ report, baseUrl, installation });
  return database.transaction(async (tx) => {
    if (!(await recordMoment(tx, mail, now))) return 0;
    const ids = await addMails(tx, mail.addresses, composed, now);
    await recordMails(tx, mail.id, ids);
    return ids.length;
  });
}

async function addMails(
  tx: Queryable,
  addresses: readonly string[],
  composed: ReturnType<typeof composeReportMail>,
  now: number,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const recipient of addresses) ids.push(await addMail(tx, { recipient, ...composed }, now));
  return ids;
}
