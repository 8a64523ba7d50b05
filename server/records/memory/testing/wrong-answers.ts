/** Compares what people see of a list (facets, flags, the order with which it opens, pages and exports) with the stored rows. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { SearchSummary } from '@patch/contract/records/search-summary-endpoint.ts';
import { openingOrder } from '../../../testing/random-search.ts';
import { readSearch } from '../../criteria/search-request.ts';
import type { SearchService } from '../../search/search-service.ts';
import { expectedRows } from '../../search/testing/expected-rows.ts';
import { wrongFacets } from '../../search/testing/wrong-summary.ts';
import { splitFacets } from '../../summary/criterion-facets.ts';
import { readSummary } from '../../summary/summary-request.ts';
import type { SummaryService } from '../../summary/summary-service.ts';
import type { StoredList } from './stored-lists.ts';
import { listConditions, toSearch } from './wrong-conditions.ts';

/** The services of a process, whose caches live as long as it does. */
export interface Answering {
  readonly searchService: SearchService;
  readonly summaries: SummaryService;
}

const caller = { user: 'tester', signal: new AbortController().signal };
const everything = {
  conditions: [],
  terms: [],
  keyword: '',
  name: null,
  sort: [],
  includeFolded: true,
};

export async function findWrongFacets(
  { summaries }: Answering,
  stored: StoredList,
): Promise<readonly string[]> {
  const { list } = stored;
  // Criteria are evaluated by other modules: simulated-year.test.ts compares their facets.
  const facets = [...splitFacets(list, list.facets).fields];
  const body = { facets, ...(list.key === 'all_patches' && { includeFolded: true }) };
  const reply = await summaries.summary(
    caller,
    readSummary(list, body, { restricted: true, groups: null }),
  );
  const summary = SearchSummary.parse(JSON.parse(reply));
  const wrong = wrongFacets(stored, everything, summary);
  return [
    ...wrong.map((name) => `${list.key}: facet ${name}: ${JSON.stringify(summary.facets[name])}`),
    ...(summary.totalCount === stored.rows.length ? [] : [`${list.key}: total of the facets`]),
  ];
}

export async function findWrongFlags(
  { searchService }: Answering,
  stored: StoredList,
): Promise<readonly string[]> {
  const { list } = stored;
  const flags = Object.keys(list.fields).filter((name) => getField(list, name).kind === 'flag');
  const wrong: string[] = [];
  for (const { filter, expected } of listConditions(stored)) {
    if (!flags.some((name) => filter.startsWith(`${name} =`) || filter === `${name} is null`))
      continue;
    const search = toSearch(stored, filter);
    const { rows, total } = await searchService.find(caller, search);
    const page = (JSON.parse(`[${rows}]`) as { id: number }[]).map(({ id }) => id);
    const exported: unknown[] = [];
    for await (const each of searchService.pages(caller, search))
      exported.push(...each.map(({ id }) => id));
    const found = { total, page: page.join(), exported: exported.join() };
    const rest = { total: expected.length, page: expected.join(), exported: expected.join() };
    if (JSON.stringify(found) !== JSON.stringify(rest))
      wrong.push(`${list.key}: ${filter}: ${JSON.stringify(found)} instead of ${expected.join()}`);
  }
  return wrong;
}

/** Compares pages and exports in the order of what to patch first. */
export async function findWrongOrder(
  { searchService }: Answering,
  stored: StoredList,
): Promise<readonly string[]> {
  const { list } = stored;
  const sort = openingOrder(list);
  if (sort.length === 0) return [];
  const rows = expectedRows(stored, { ...everything, name: '', sort });
  const expected = rows.map(({ id }) => id).join();
  const query = { offset: 0, size: 1_000, sort: 'patchFirst' };
  const search = readSearch(
    list,
    query,
    { includeFolded: true },
    { restricted: true, groups: null },
  );
  const exported: unknown[] = [];
  for await (const each of searchService.pages(caller, search))
    exported.push(...each.map(({ id }) => id));
  // Small pages are read with the rows that tie with them.
  const paged: number[] = [];
  for (let offset = 0; offset < rows.length; offset += 2) {
    const page = await searchService.find(caller, { ...search, offset, size: 2 });
    paged.push(...(JSON.parse(`[${page.rows}]`) as { id: number }[]).map(({ id }) => id));
  }
  return [paged.join(), exported.join()].flatMap((found) =>
    found === expected ? [] : [`${list.key}: to patch first: ${found} instead of ${expected}`],
  );
}
