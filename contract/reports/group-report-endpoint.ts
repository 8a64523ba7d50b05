/** A report of a group of machines, or of all, and a period: exposure, overdue, days to patch, exceptions that end, sources that are silent. */
import { z } from 'zod';
import { instant, integerText } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { ListedException } from '../fleet/exception-endpoints.ts';
import { freshnessStates } from '../sources/source-freshness.ts';
import { Figure } from './dashboard-endpoint.ts';
import { defaultReportDays, reportPeriods } from './report-periods.ts';

/** Days without a report after which a machine counts as silent. */
export const silentDays = 7;
/** Exceptions that end within these days end soon. */
export const endingDays = 30;
export const maxEndingExceptions = 50;

export const ReportGroup = z
  .string()
  .max(100)
  .describe('The name or #number of a group; absent: all machines');

export const ReportDays = z
  .number()
  .int()
  .refine((days) => (reportPeriods as readonly number[]).includes(days), {
    message: `must be one of ${reportPeriods.join(', ')}`,
  });

const CountedDay = z.object({
  day: instant.describe('The beginning of the day in UTC'),
  machines: z.number().int(),
  machinesMissing: z.number().int(),
  machinesExploited: z.number().int(),
  machinesUnjudged: z.number().int().nullable().describe('Null: not counted on that day'),
  machinesOverdue: z.number().int().nullable().describe('Null: not counted on that day'),
  present: z
    .boolean()
    .describe('False: of the machines that other criteria found, which the group had then'),
});
export type CountedDay = z.infer<typeof CountedDay>;

const PatchedBand = z.object({
  band: z.enum(['exploited', 'serious', 'others']),
  records: z.number().int().describe('Patched records, each counted on each machine'),
  meanDays: z.number(),
  medianDays: z.number(),
});
export type PatchedBand = z.infer<typeof PatchedBand>;

const SourceConcern = z.object({
  source: z.string(),
  label: z.string(),
  freshness: z.enum(freshnessStates),
  words: z.string(),
});

export const GroupReport = z.object({
  group: z
    .object({ id: z.number().int(), name: z.string(), criteria: z.string().nullable() })
    .nullable()
    .describe('Null: all machines'),
  days: z.number().int(),
  from: instant.describe('The beginning of the first day of the period in UTC'),
  countedAt: instant,
  machines: Figure,
  machinesMissing: Figure,
  machinesExploited: Figure,
  machinesCritical: Figure,
  machinesOverdue: Figure,
  machinesAccepted: Figure.describe('With records that are accepted for now'),
  machinesMayMiss: Figure.describe(
    'Without a record that is certainly missing, but with ones that are uncertain or for subscribers',
  ),
  missingNothing: Figure.describe(
    'Judged, not silent, and without a record that is missing, uncertain, accepted or for subscribers',
  ),
  notJudged: Figure,
  beingJudged: Figure,
  silent: Figure.describe(`Without a report for ${silentDays} days`),
  curve: z.array(CountedDay).describe('The days of the period with counts, the oldest first'),
  patchedSince: instant.describe('Since when patched records are kept'),
  patched: z.array(PatchedBand).describe('The bands with records that were patched in the period'),
  exceptionsUntil: instant,
  exceptionCount: z.number().int().describe('Exceptions that end until then'),
  exceptions: z.array(ListedException).describe(`The first ${maxEndingExceptions} to end`),
  followedSources: z.number().int(),
  sources: z.array(SourceConcern).describe('Sources that are silent, stale or were never read'),
});
export type GroupReport = z.infer<typeof GroupReport>;

export const groupReportEndpoint = defineEndpoint({
  name: 'machines_report',
  summary:
    'What the machines of a group miss now and on the days of a period, what is overdue, and after how many days records were patched',
  tag: 'Machines',
  method: 'GET',
  path: '/dashboard/machines/report',
  access: 'standard',
  machines: 'own',
  scope: 'read',
  query: z.strictObject({
    group: ReportGroup.optional(),
    days: integerText.pipe(ReportDays).default(defaultReportDays),
  }),
  reply: GroupReport,
});
