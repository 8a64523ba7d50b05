/** Composes the email of a report. It says what the page says, each number of machines with the link of its list. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import { exceptionKindWords } from '@patch/contract/fleet/exception-kinds.ts';
import { scopeWords } from '@patch/contract/fleet/exception-scope-words.ts';
import {
  type CountedDay,
  endingDays,
  type GroupReport,
} from '@patch/contract/reports/group-report-endpoint.ts';
import { defaultReportDays } from '@patch/contract/reports/report-periods.ts';
import {
  exposureFigures,
  mayMissFigure,
  type NamedFigure,
  noSourceWords,
  patchedBands,
  unknownFigures,
  unknownWords,
  unreliableWords,
} from '@patch/contract/reports/report-words.ts';
import { addressWord, listPath, queryString } from '../../reports/alerts/alert-mail.ts';
import {
  type MailBlock,
  type MailEntry,
  mailDocument,
  oneLine,
} from '../../reports/alerts/mail-document.ts';
import { recordName } from '../exceptions/announce-ends.ts';

export interface ReportMailContent {
  readonly report: GroupReport;
  /** The base URL of the console; null when none is set. */
  readonly baseUrl: string | null;
  /** The name of the installation. */
  readonly installation: string;
}

/** Returns the address of a page; null without a base URL. */
type ToUrl = (path: string, search?: Readonly<Record<string, string>>) => string | null;

export function composeReportMail({ report, baseUrl, installation }: ReportMailContent) {
  const toUrl: ToUrl = (path, search = {}) => {
    const searched = queryString(search);
    return baseUrl === null ? null : `${baseUrl}${path}${searched === '' ? '' : `?${searched}`}`;
  };
  const blocks: readonly MailBlock[] = [
    words(
      `As of ${utcMinute(report.countedAt)}. The last ${report.days} days, from ${dayOf(report.from)}.`,
    ),
    ...exposureBlocks(report, toUrl),
    ...patchedBlocks(report),
    ...exceptionBlocks(report, toUrl),
    ...sourceBlocks(report, toUrl),
    { kind: 'link', words: 'The report with its curve', url: reportUrl(report, toUrl) },
    words(
      `${installation} sends this because an administrator entered your address at the report. Whoever opens the links needs an account.`,
    ),
  ];
  return {
    kind: 'Report',
    subject: oneLine(`${installation}: ${subjectWords(report)}`),
    ...mailDocument(blocks),
  };
}

const words = (text: string): MailBlock => ({ kind: 'words', words: text });
const heading = (text: string): MailBlock => ({ kind: 'heading', words: text });
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;
const groupSearch = ({ group }: GroupReport) => ({
  group: group === null ? '' : addressWord(group.name),
});

const reportUrl = (report: GroupReport, toUrl: ToUrl) =>
  toUrl('/patch-repository/report', {
    ...groupSearch(report),
    days: report.days === defaultReportDays ? '' : String(report.days),
  });

function subjectWords(report: GroupReport): string {
  const { group, machines, machinesMissing, machinesOverdue } = report;
  const of = group === null ? '' : ` of ${group.name}`;
  if (machines.totalCount === 0) return `no machines${of}`;
  return [
    `${machinesMissing.totalCount} of ${count(machines.totalCount, 'machine')}${of} miss something`,
    `${machinesOverdue.totalCount} overdue`,
    ...[mayMissFigure, ...unknownFigures].flatMap(({ name, label }) =>
      report[name].totalCount === 0 ? [] : [`${report[name].totalCount} ${label}`],
    ),
  ].join(', ');
}

function exposureBlocks(report: GroupReport, toUrl: ToUrl): readonly MailBlock[] {
  const begin = beginOf(report);
  const entries = (figures: readonly NamedFigure[]): MailBlock => ({
    kind: 'entries',
    entries: figures.map(({ name, label }): MailEntry => {
      const { list: key, criteria, totalCount } = report[name];
      const list = getList(key as ListKey);
      return {
        name: `${label[0]?.toUpperCase() ?? ''}${label.slice(1)}: ${totalCount}`,
        // The reader's default view must not replace the criteria.
        url: toUrl(listPath(list), { criteria: writeCriteria(list, criteria), view: 'all' }),
        lines: begin === undefined ? [] : changeLines(name, totalCount, begin),
      };
    }),
  });
  return [
    heading('Exposure now'),
    ...(report.machines.totalCount === 0
      ? [words('There are no machines here, so that nothing is known of any.')]
      : []),
    ...(begin === undefined
      ? [words('No day of the period has counts of these machines: the change is not known.')]
      : []),
    entries(exposureFigures),
    heading('Not known'),
    entries(unknownFigures),
    words(unknownWords),
  ];
}

/** Returns the first day of the period that the present criteria counted. */
const beginOf = ({ curve }: GroupReport): CountedDay | undefined =>
  curve[curve.findLastIndex(({ present }) => !present) + 1];

const isCounted = (name: NamedFigure['name']) =>
  name === 'machines' ||
  name === 'machinesMissing' ||
  name === 'machinesExploited' ||
  name === 'machinesOverdue';

/** Returns '9 on 2026-09-01: 2 fewer now'. Days have some of the numbers. */
function changeLines(name: NamedFigure['name'], now: number, begin: CountedDay): readonly string[] {
  const then = isCounted(name) ? begin[name] : null;
  if (then === null) return [];
  const change =
    now === then ? 'as many now' : `${Math.abs(now - then)} ${now < then ? 'fewer' : 'more'} now`;
  return [`${then} on ${dayOf(begin.day)}: ${change}`];
}

const daysWords = (days: number) => count(Math.round(10 * days) / 10, 'day');

function patchedBlocks({ patched, patchedSince, from }: GroupReport): readonly MailBlock[] {
  return [
    heading('Days to patch'),
    {
      kind: 'entries',
      entries: patchedBands.map(({ band, label }) => {
        const own = patched.find((one) => one.band === band);
        const found =
          own === undefined
            ? 'none patched in the period'
            : `${count(own.records, 'record')} patched, mean ${daysWords(own.meanDays)}, median ${daysWords(own.medianDays)}`;
        return { name: `${label}: ${found}`, url: null, lines: [] };
      }),
    },
    ...(patchedSince > from ? [words(`Kept since ${dayOf(patchedSince)}.`)] : []),
  ];
}

function exceptionBlocks(report: GroupReport, toUrl: ToUrl): readonly MailBlock[] {
  const { exceptions, exceptionCount } = report;
  const remaining = exceptionCount - exceptions.length;
  const entries = exceptions.map((exception): MailEntry => {
    const { kind, list, recordId, until, reason, by } = exception;
    return {
      name: `${recordName(exception)} ${scopeWords(exception)}`,
      url: toUrl(`${listPath(getList(list as ListKey))}/record/${recordId}`),
      lines: [`${exceptionKindWords[kind]}, ends ${dayOf(until ?? 0)}. ${reason} (${by})`],
    };
  });
  return [
    heading(`Exceptions that end within ${endingDays} days: ${exceptionCount}`),
    entries.length === 0 ? words('None.') : { kind: 'entries', entries },
    {
      kind: 'link',
      words: remaining > 0 ? `And ${remaining} more` : 'Exceptions that end',
      url: toUrl('/patch-repository/exceptions', {
        endsWithin: String(endingDays),
        ...groupSearch(report),
      }),
    },
  ];
}

function sourceBlocks(report: GroupReport, toUrl: ToUrl): readonly MailBlock[] {
  const { sources, followedSources } = report;
  const title = heading(`Sources that are not up to date: ${sources.length}`);
  if (sources.length === 0)
    return [
      title,
      words(followedSources === 0 ? noSourceWords : `None of ${count(followedSources, 'source')}.`),
    ];
  const entries = sources.map(({ source, label, words: state }) => ({
    name: label,
    url: toUrl('/patch-repository/sync', { source }),
    lines: [state],
  }));
  return [title, { kind: 'entries', entries }, words(unreliableWords)];
}
