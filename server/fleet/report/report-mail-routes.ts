/** Routes of the reports that are sent by email. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  changeReportMailEndpoint,
  createReportMailEndpoint,
  maxReportMails,
  type ReportMail,
  type ReportMailSetting,
  removeReportMailEndpoint,
  reportMailsEndpoint,
} from '@patch/contract/reports/report-mail-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { isEmailConfigured } from '../../platform/mail/email-config-store.ts';
import type { PlatformContext } from '../../platform/platform-context.ts';
import { findGroupByName, searchOfGroup } from '../groups/machines-of-group.ts';
import {
  addReportMail,
  lockReportMails,
  type ReportMailToStore,
  readReportMail,
  readReportMails,
  removeReportMail,
  type StoredReportMail,
  writeReportMail,
} from './report-mail-store.ts';
import { reportMailTimes } from './report-mail-times.ts';

export function reportMailRoutes(
  route: RouteRegistrar,
  { database, clock }: Pick<PlatformContext, 'database' | 'clock'>,
): void {
  /** Shows a schedule as it is now. */
  const show = async (tx: Queryable, stored: StoredReportMail): Promise<ReportMail> =>
    toReportMail(stored, { now: clock(), mailConfigured: await isEmailConfigured(tx) });

  route(reportMailsEndpoint, async () => {
    const objList: ReportMail[] = [];
    for (const stored of await readReportMails(database))
      objList.push(await show(database, stored));
    return { objList, totalCount: objList.length };
  });

  route(createReportMailEndpoint, ({ body, changed }) =>
    database.transaction(async (tx) => {
      if ((await lockReportMails(tx)) >= maxReportMails)
        throw new AppError(
          'too_many_report_mails',
          `${maxReportMails} reports are sent by email already. Remove one first.`,
        );
      const id = await addReportMail(tx, await toStore(tx, body), clock());
      const after = await show(tx, await requireReportMail(tx, id));
      changed({ subject: subjectOf(after), after: settingOf(after) });
      return after;
    }),
  );

  route(changeReportMailEndpoint, ({ params: { id }, body, changed }) =>
    database.transaction(async (tx) => {
      await lockReportMails(tx);
      const before = await show(tx, await requireReportMail(tx, id));
      await writeReportMail(tx, id, await toStore(tx, body), clock());
      const after = await show(tx, await requireReportMail(tx, id));
      changed({ subject: subjectOf(after), before: settingOf(before), after: settingOf(after) });
      return after;
    }),
  );

  route(removeReportMailEndpoint, ({ params: { id }, changed }) =>
    database.transaction(async (tx) => {
      await lockReportMails(tx);
      const before = await show(tx, await requireReportMail(tx, id));
      await removeReportMail(tx, id);
      changed({ subject: subjectOf(before), before: settingOf(before) });
      return {};
    }),
  );
}

async function requireReportMail(tx: Queryable, id: number): Promise<StoredReportMail> {
  const stored = await readReportMail(tx, id);
  if (stored === null) throw new AppError('not_found', `No report ${id} is sent by email.`);
  return stored;
}

/** @throws AppError `no_such_group` */
async function toStore(
  tx: Queryable,
  { group: named, ...setting }: ReportMailSetting,
): Promise<ReportMailToStore> {
  const group = named === null ? null : await findGroupByName(tx, named);
  if (group === null && named !== null)
    throw new AppError(
      'no_such_group',
      `There is no group '${named}'. Name a group that exists, or none for all machines.`,
    );
  // Each person gets one email, however often the address is written.
  const addresses = new Map(setting.addresses.map((address) => [fold(address), address]));
  return { ...setting, groupId: group?.id ?? null, addresses: [...addresses.values()] };
}

function toReportMail(
  stored: StoredReportMail,
  { now, mailConfigured }: { readonly now: number; readonly mailConfigured: boolean },
): ReportMail {
  const { group, doneTime: _, version: __, problem, undelivered, ...setting } = stored;
  const problems = [
    mailConfigured ? '' : 'No email is sent until the mail server is configured.',
    problemOfGroup(group, now),
    problem,
    undelivered,
  ];
  return {
    ...setting,
    group: group && { id: group.id, name: group.name },
    nextAt: reportMailTimes(stored, now).next,
    problem: problems.find((one) => one !== '') ?? null,
  };
}

/** Returns why the criteria of the group are no longer valid; empty while they are. */
function problemOfGroup(group: StoredReportMail['group'], now: number): string {
  try {
    if (group !== null && group.criteria !== null) searchOfGroup(group.criteria, now);
    return '';
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unaskable_criteria') throw error;
    return `No email is sent, because the criteria of the group are no longer valid: ${error.message}`;
  }
}

const subjectOf = ({ group }: ReportMail) =>
  `email of the report of ${group === null ? 'all machines' : `group ${group.name}`}`;

const settingOf = ({ days, day, hour, timeZone, addresses }: ReportMail) => ({
  days,
  day,
  hour,
  timeZone,
  addresses,
});
