/** Reports of a group and a period that are sent by email, also to addresses without an account. */
import { z } from 'zod';
import { IdParams, instant } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { isEmail } from '../form-rules/text-rules.ts';
import { BrowserZone, HourOfDay } from './alert-endpoints.ts';
import { ReportDays, ReportGroup } from './group-report-endpoint.ts';
import { defaultReportDays } from './report-periods.ts';

export const maxReportMails = 100;
export const maxReportAddresses = 20;

/** In the order in which they are offered. */
export const reportMailDays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
  'first_of_month',
] as const;
export type ReportMailDay = (typeof reportMailDays)[number];

const content = {
  day: z
    .enum(reportMailDays)
    .describe('Each week on this day, or each month on its first day, of the time zone'),
  hour: HourOfDay,
  timeZone: BrowserZone.describe('IANA name: where the day and the hour are'),
  addresses: z
    .array(z.string().trim().max(320).refine(isEmail, 'must be valid emails'))
    .min(1, 'must have at least one address')
    .max(maxReportAddresses, `may be at most ${maxReportAddresses}`)
    .describe('They need no account; each gets an email of its own'),
};

export const ReportMailSetting = z.strictObject({
  group: ReportGroup.nullable()
    .default(null)
    .describe('The name or #number of a group; null: all machines'),
  days: ReportDays.default(defaultReportDays),
  ...content,
});
export type ReportMailSetting = z.infer<typeof ReportMailSetting>;

export const ReportMail = z.object({
  id: z.number().int(),
  group: z
    .object({ id: z.number().int(), name: z.string() })
    .nullable()
    .describe('Null: all machines'),
  days: z.number().int(),
  ...content,
  nextAt: instant.describe('When it is sent next'),
  sentAt: instant.nullable().describe('When its last emails were queued; null: not yet'),
  problem: z
    .string()
    .nullable()
    .describe('Why no email is sent, or why the last one was not delivered; null: no problem'),
});
export type ReportMail = z.infer<typeof ReportMail>;

/** Addresses of people are for administrators alone. */
const admins = { tag: 'Machines', access: 'admin', scope: 'clients' } as const;

export const reportMailsEndpoint = defineEndpoint({
  ...admins,
  name: 'report_mails',
  summary: 'The reports that are sent by email, by group, with what prevents them from being sent',
  method: 'GET',
  path: '/machines/reportmails',
  reply: z.object({ objList: z.array(ReportMail), totalCount: z.number().int() }),
});

export const createReportMailEndpoint = defineEndpoint({
  ...admins,
  name: 'create_report_mail',
  summary: `Send the report of a group and a period by email each week or month. At most ${maxReportMails}; the removal of the group ends it`,
  method: 'POST',
  path: '/machines/reportmails',
  body: ReportMailSetting,
  reply: ReportMail,
  status: 201,
});

export const changeReportMailEndpoint = defineEndpoint({
  ...admins,
  name: 'change_report_mail',
  summary:
    'Replace what report is sent by email, when, and to whom. Another day, hour or time zone counts from now on',
  method: 'PUT',
  path: '/machines/reportmails/{id}',
  params: IdParams,
  body: ReportMailSetting,
  reply: ReportMail,
});

export const removeReportMailEndpoint = defineEndpoint({
  ...admins,
  name: 'remove_report_mail',
  summary: 'Send a report by email no more',
  method: 'DELETE',
  path: '/machines/reportmails/{id}',
  params: IdParams,
  reply: z.object({}),
});
