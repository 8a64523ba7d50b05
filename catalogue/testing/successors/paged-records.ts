/** The records of a list that is published page by page: taken from all pages, and laid out on them again. */
import { jsonOutline } from './json-outline.ts';
import type { RecordGroup } from './outline-spans.ts';
import { type PublishedState, splitQuery } from './published-state.ts';
import { replacedSpans } from './text-outline.ts';

type Files = PublishedState['files'];

export interface PagedRecords {
  readonly records: readonly string[];
  /** The paths of the pages, in their order. */
  readonly pages: readonly string[];
  readonly with: (records: readonly string[]) => Files;
}

interface Page {
  readonly path: string;
  readonly text: string;
  /** Which page it is: its number, or how many records come before it. */
  readonly place: number;
  readonly group: RecordGroup;
  readonly records: readonly string[];
}

/** How the query of a page counts: `page=2&size=100`, `limit=20&offset=40`. */
const counters = [
  { place: 'page', size: 'size', placeOf: (page: number) => page + 1 },
  { place: 'offset', size: 'limit', placeOf: (_page: number, before: number) => before },
] as const;

/** Every list of pages among the files. */
export function pagedRecordsIn(files: Files): PagedRecords[] {
  return counters.flatMap(({ place, size, placeOf }) => {
    const ofList = Map.groupBy(
      [...files.keys()].filter((path) => splitQuery(path)[1] !== null),
      (path) => withoutParameter(path, place),
    );
    return [...ofList].flatMap(([list, paths]) => {
      const pages = paths
        .flatMap((path) => pageOf(files, path, place))
        .toSorted((a, b) => a.place - b.place);
      const [first] = pages;
      if (list === null || first === undefined) return [];
      const full = Number(new URLSearchParams(splitQuery(first.path)[1] ?? '').get(size));
      const largest =
        pages.length > 1
          ? Math.min(full, Math.max(...pages.slice(0, -1).map(({ records }) => records.length)))
          : full;
      const laidOut = (records: readonly string[]) =>
        withPages(files, pages, records, largest, { place, placeOf });
      return [
        {
          records: pages.flatMap(({ records }) => records),
          pages: pages.map(({ path }) => path),
          with: laidOut,
        },
      ];
    });
  });
}

/** Null when the query has no such parameter. */
function withoutParameter(path: string, name: string): string | null {
  const [file, query] = splitQuery(path);
  const parameters = new URLSearchParams(query ?? '');
  if (!/^\d+$/.test(parameters.get(name) ?? '')) return null;
  parameters.delete(name);
  return `${file}@${parameters.toString()}`;
}

function pageOf(files: Files, path: string, name: string): Page[] {
  const content = files.get(path)?.content;
  const text = content?.kind === 'text' ? content.text : '';
  const group = jsonOutline(text)?.groups.find(({ depth }) => depth === 1);
  if (group === undefined) return [];
  const place = Number(new URLSearchParams(splitQuery(path)[1] ?? '').get(name));
  return [
    {
      path,
      text,
      place,
      group,
      records: group.records.map(({ start, end }) => text.slice(start, end)),
    },
  ];
}

interface Counter {
  readonly place: string;
  readonly placeOf: (page: number, before: number) => number;
}

function withPages(
  files: Files,
  pages: readonly Page[],
  records: readonly string[],
  largest: number,
  { place, placeOf }: Counter,
): Files {
  const renewed = new Map(files);
  const counted = pages.reduce((sum, page) => sum + page.records.length, 0);
  for (const { path } of pages) renewed.delete(path);
  for (let page = 0; page === 0 || page * largest < records.length; page++) {
    const model = pages[Math.min(page, pages.length - 1)] as Page;
    const at = placeOf(page, page * largest);
    const text = replacedSpans(model.text, [
      {
        ...(model.group.room ?? { start: 0, end: 0 }),
        text: records.slice(page * largest, (page + 1) * largest).join(','),
      },
      ...numbersOutside(model, place, String(at)),
      ...numbersOutside(model, 'total\\w*', String(records.length), String(counted)),
    ]);
    const path = model.path.replace(new RegExp(`([@&]${place}=)\\d+`), `$1${at}`);
    renewed.set(path, { packing: 'plain', content: { kind: 'text', text } });
  }
  return renewed;
}

/** The values of the envelope's members of that name. */
function numbersOutside(
  { text, group: { room } }: Page,
  name: string,
  text2: string,
  was = '\\d+',
) {
  return [...text.matchAll(new RegExp(`("${name}"\\s*:\\s*)(${was})(?=\\s*[,}])`, 'g'))].flatMap(
    ({ 1: before = '', 2: value = '', index }) => {
      const start = index + before.length;
      const inside = room !== null && start >= room.start && start < room.end;
      return inside ? [] : [{ start, end: start + value.length, text: text2 }];
    },
  );
}
