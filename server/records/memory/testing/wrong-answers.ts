/** Compares what people see of the flags of a list (facets, lists, pages and exports) with the stored rows. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { SearchSummary } from '@patch/contract/search-summary-endpoint.ts';
import type { SearchService } from '../../search/search-service.ts';
import { wrongFacets } from '../../search/testing/wrong-summary.ts';
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
  const body = list.key === 'all_patches' ? { includeFolded: true } : {};
  const reply = await summaries.summary(caller, readSummary(list, body, true));
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
