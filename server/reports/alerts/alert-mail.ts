/** Composes the email and the event about a view's new records. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { ViewSearch } from '@patch/contract/records/saved-view-endpoints.ts';
import type { AlertItem, RiskEvent } from '@patch/contract/reports/alert-endpoints.ts';
import type { NewEvent } from '../../platform/events/event-store.ts';
import { type MailBlock, mailDocument, oneLine } from './mail-document.ts';

export interface AlertContent {
  readonly list: CatalogueList;
  readonly view: { readonly id: number; readonly name: string };
  readonly search: ViewSearch;
  /** At most as many as an email may list. */
  readonly records: readonly AlertItem[];
  /** All new records, and the number of updates that they describe. */
  readonly totalCount: number;
  readonly updateCount: number;
  /** Older records whose risk has changed. */
  readonly risk: readonly RiskContent[];
  /** The base URL of the console; null when none is set. */
  readonly baseUrl: string | null;
  /** The name of the installation. */
  readonly installation: string;
}

export interface RiskContent extends Pick<AlertContent, 'records' | 'totalCount' | 'updateCount'> {
  readonly event: RiskEvent;
  /** The threshold of the alert. */
  readonly epssAbove: number | null;
}

export function composeAlertMail({
  list,
  view,
  search,
  records,
  totalCount,
  updateCount,
  risk,
  baseUrl,
  installation,
}: AlertContent) {
  const counts = countWords({ totalCount, updateCount, risk });
  const page = baseUrl === null ? null : `${baseUrl}${listPath(list)}`;
  const viewLabel = `The view '${view.name}' of ${list.label}`;
  const blocks: MailBlock[] = [
    ...(totalCount > 0
      ? toSection(
          `${viewLabel} shows ${newWords(totalCount, updateCount)}.`,
          { records, updateCount },
          page,
        )
      : []),
    ...risk.flatMap((content) => toSection(`${viewLabel}: ${riskWords(content)}.`, content, page)),
    {
      kind: 'link',
      words: 'All records of the view',
      url: baseUrl === null ? null : `${baseUrl}${viewPath(list, view.id, search)}`,
    },
    {
      kind: 'words',
      words: `${installation} sends this because an alert is set on the view. Change or remove it in the list's menu of views.`,
    },
  ];
  return {
    kind: 'Alert',
    subject: oneLine(`${installation}: ${counts} in '${view.name}'`),
    ...mailDocument(blocks),
  };
}

/** Returns text such as '3 new records, 1 record became known exploited'. */
export function countWords({
  totalCount,
  updateCount,
  risk,
}: Pick<AlertContent, 'totalCount' | 'updateCount' | 'risk'>): string {
  return [
    ...(totalCount > 0 ? [newWords(totalCount, updateCount)] : []),
    ...risk.map(riskWords),
  ].join(', ');
}

function toSection(
  words: string,
  { records, updateCount }: Pick<AlertContent, 'records' | 'updateCount'>,
  page: string | null,
): MailBlock[] {
  const remaining = updateCount - records.length;
  return [
    { kind: 'words', words },
    {
      kind: 'entries',
      entries: records.map(({ id, name, about }) => ({
        name,
        url: page === null ? null : `${page}/record/${id}`,
        lines: [about],
      })),
    },
    ...(remaining > 0 ? [{ kind: 'words', words: `And ${remaining} more.` } as const] : []),
  ];
}

/** Returns '1 record became known exploited' or 'EPSS of 2 records rose over 50 %'. */
function riskWords({ event, epssAbove, totalCount }: RiskContent): string {
  const records = totalCount === 1 ? '1 record' : `${totalCount} records`;
  return event === 'exploited'
    ? `${records} became known exploited`
    : `EPSS of ${records} rose over ${Number(((epssAbove ?? 0) * 100).toFixed(2))} %`;
}

/** Returns '3 new records', or '41 updates in 700 new records' when several records describe one update. */
function newWords(totalCount: number, updateCount: number): string {
  const records = totalCount === 1 ? '1 new record' : `${totalCount} new records`;
  return totalCount === updateCount
    ? records
    : `${updateCount === 1 ? '1 update' : `${updateCount} updates`} in ${records}`;
}

export const listPath = ({ route }: CatalogueList) =>
  `/patch-repository${route === '' ? '' : `/${route}`}`;

/** Returns the path of the list that opens the view. */
export const viewPath = (list: CatalogueList, view: number, search: ViewSearch) =>
  `${listPath(list)}?${toQueryString(view, search)}`;

/** The console parses a value that is JSON: `"open ssl"` and `5034441` stay words only when written as JSON strings. */
export function addressWord(word: string): string {
  try {
    JSON.parse(word);
    return JSON.stringify(word);
  } catch {
    return word;
  }
}

/** Returns the query of the list's address that opens the view. */
function toQueryString(view: number, { criteria, keyword, sort, columns }: ViewSearch): string {
  const given = {
    criteria,
    keyword: addressWord(keyword),
    sort: sort ?? '',
    columns: columns?.join(',') ?? '',
    view: String(view),
  };
  return queryString(given);
}

/** Returns the query of an address, without values that are empty. */
export const queryString = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** Only the owner of the alert may read the event: the view may be theirs alone. */
export function composeAlertEvent(
  content: AlertContent,
  userId: number,
  channels: readonly number[],
): NewEvent {
  const { list, view, search, risk } = content;
  const toItem = ({ id, name, about }: AlertItem) => ({
    name,
    about,
    path: `${listPath(list)}/record/${id}`,
  });
  const parts = [content, ...risk];
  return {
    type: 'view.records',
    title: `${countWords(content)} in '${view.name}'`,
    path: viewPath(list, view.id, search),
    subject: { viewId: view.id, view: view.name, list: list.key },
    items: parts.flatMap(({ records }) => records.map(toItem)),
    totalCount: parts.reduce((sum, { updateCount }) => sum + updateCount, 0),
    userId,
    channels,
  };
}
