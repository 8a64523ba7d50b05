/** The mail that tells of a view's new records. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { AlertItem } from '@patch/contract/alert-endpoints.ts';
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
  /** Where people find the console; null: nobody has said. */
  readonly baseUrl: string | null;
  /** Of the installation. */
  readonly installation: string;
}

export function alertMail({
  list,
  view,
  search,
  records,
  totalCount,
  updateCount,
  baseUrl,
  installation,
}: AlertContent) {
  const many = newWords(totalCount, updateCount);
  const page = baseUrl === null ? null : pageOfList(baseUrl, list);
  const left = updateCount - records.length;
  const blocks: MailBlock[] = [
    { kind: 'words', words: `The view '${view.name}' of ${list.label} shows ${many}.` },
    {
      kind: 'entries',
      entries: records.map(({ id, name, about }) => ({
        name,
        url: page === null ? null : `${page}/record/${id}`,
        lines: [about],
      })),
    },
    ...(left > 0 ? [{ kind: 'words', words: `And ${left} more.` } as const] : []),
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
    subject: oneLine(`${installation}: ${many} in '${view.name}'`),
    ...mailDocument(blocks),
  };
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
