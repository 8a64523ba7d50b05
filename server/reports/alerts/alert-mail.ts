/** The mail that tells of a view's new records. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { AlertItem, RiskEvent } from '@patch/contract/alert-endpoints.ts';
import type { ViewSearch } from '@patch/contract/saved-view-endpoints.ts';
import { type MailBlock, mailDocument, oneLine } from './mail-document.ts';

export interface AlertContent {
  readonly list: CatalogueList;
  readonly view: { readonly id: number; readonly name: string };
  readonly search: ViewSearch;
  /** At most as many as a mail holds. */
  readonly records: readonly AlertItem[];
  /** All new records, and the updates that they are about. */
  readonly totalCount: number;
  readonly updateCount: number;
  /** Records that were there before and whose risk has changed. */
  readonly risk: readonly RiskContent[];
  /** Where people find the console; null: nobody has said. */
  readonly baseUrl: string | null;
  /** Of the installation. */
  readonly installation: string;
}

export interface RiskContent extends Pick<AlertContent, 'records' | 'totalCount' | 'updateCount'> {
  readonly event: RiskEvent;
  /** Of the alert. */
  readonly epssAbove: number | null;
}

export function alertMail({
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
  const counts = [
    ...(totalCount > 0 ? [newWords(totalCount, updateCount)] : []),
    ...risk.map(riskWords),
  ];
  const page = baseUrl === null ? null : pageOfList(baseUrl, list);
  const named = `The view '${view.name}' of ${list.label}`;
  const blocks: MailBlock[] = [
    ...(totalCount > 0
      ? sectionOf(
          `${named} shows ${newWords(totalCount, updateCount)}.`,
          { records, updateCount },
          page,
        )
      : []),
    ...risk.flatMap((told) => sectionOf(`${named}: ${riskWords(told)}.`, told, page)),
    {
      kind: 'link',
      words: 'All records of the view',
      url: page === null ? null : `${page}?${addressOf(view.id, search)}`,
    },
    {
      kind: 'words',
      words: `${installation} sends this because an alert is set on the view. Change or delete it in the list's menu of views.`,
    },
  ];
  return {
    kind: 'Alert',
    subject: oneLine(`${installation}: ${counts.join(', ')} in '${view.name}'`),
    ...mailDocument(blocks),
  };
}

function sectionOf(
  words: string,
  { records, updateCount }: Pick<AlertContent, 'records' | 'updateCount'>,
  page: string | null,
): MailBlock[] {
  const left = updateCount - records.length;
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
    ...(left > 0 ? [{ kind: 'words', words: `And ${left} more.` } as const] : []),
  ];
}

/** '1 record became known exploited'; 'EPSS of 2 records rose over 0.5'. */
function riskWords({ event, epssAbove, totalCount }: RiskContent): string {
  const records = totalCount === 1 ? '1 record' : `${totalCount} records`;
  return event === 'exploited'
    ? `${records} became known exploited`
    : `EPSS of ${records} rose over ${epssAbove ?? ''}`;
}

/** '3 new records'; '41 updates in 700 new records' where several records are about one update. */
function newWords(totalCount: number, updateCount: number): string {
  const records = totalCount === 1 ? '1 new record' : `${totalCount} new records`;
  return totalCount === updateCount
    ? records
    : `${updateCount === 1 ? '1 update' : `${updateCount} updates`} in ${records}`;
}

const pageOfList = (baseUrl: string, { route }: CatalogueList) =>
  `${baseUrl}/patch-repository${route === '' ? '' : `/${route}`}`;

/** The console reads a value that is JSON as such: `"open ssl"` and `5034441` are words only when they are written as strings. */
function addressWord(word: string): string {
  try {
    JSON.parse(word);
    return JSON.stringify(word);
  } catch {
    return word;
  }
}

/** As the list's address holds an opened view. */
function addressOf(view: number, { criteria, keyword, sort, columns }: ViewSearch): string {
  const given = {
    criteria,
    keyword: addressWord(keyword),
    sort: sort ?? '',
    columns: columns?.join(',') ?? '',
    view: String(view),
  };
  return Object.entries(given)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}
