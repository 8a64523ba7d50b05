/** Explains an empty search: counts its results with its words read as criteria, and without each of its criteria. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import {
  type FoundRecords,
  maxRelaxed,
  type OmittedCriterion,
  type ReadingSearch,
  type RelaxedSearch,
  type RelaxedSearches,
} from '@patch/contract/records/relaxed-search-endpoint.ts';
import type { Search } from '../criteria/search-request.ts';
import { listShorterReadings } from '../words/shorter-readings.ts';
import { addReading, findUnlessExpensive, interpretQuery } from './query-search.ts';
import type { SearchCaller } from './search-limit.ts';
import type { SearchService } from './search-service.ts';
import type { FoundPage } from './search-store.ts';

/** Starts no further search after this time, because a person is waiting. */
const timeBudgetMs = 5_000;

interface Candidate {
  readonly without: OmittedCriterion;
  readonly search: Search;
}

/** Returns the search without each of its conditions, without its keyword, and without each term of the keyword. */
export function createCandidates(search: Search): readonly Candidate[] {
  const { conditions, keyword } = search;
  const terms = keywordTerms(keyword).map(writeTerm);
  return [
    ...conditions.map(
      (_, at): Candidate => ({
        without: { kind: 'condition', at },
        search: { ...search, conditions: conditions.toSpliced(at, 1) },
      }),
    ),
    ...(keyword === ''
      ? []
      : [{ without: { kind: 'keyword' }, search: { ...search, keyword: '' } } as const]),
    ...(terms.length < 2 ? [] : terms).map(
      (_, at): Candidate => ({
        without: { kind: 'term', at },
        search: { ...search, keyword: terms.toSpliced(at, 1).join(' ') },
      }),
    ),
  ];
}

const maxReadings = 12;

/** Runs the candidates one after another, within the limits of the caller. @throws AppError `caller_left` */
export async function findRelaxedSearches(
  searchService: SearchService,
  caller: SearchCaller,
  search: Search,
  now: () => number = () => performance.now(),
): Promise<RelaxedSearches> {
  const first = toNewestFirst(search);
  const original = await searchService.find(caller, first);
  if (original.total > 0) return { readings: [], relaxed: [], untriedCount: 0 };
  const until = now() + timeBudgetMs;
  const tryOut = async (candidate: Search): Promise<FoundRecords | 'untried' | 'empty'> => {
    if (now() > until) return 'untried';
    const found = await findUnlessExpensive(searchService, caller, candidate);
    if (found === null) return 'untried';
    if (found.total === 0) return 'empty';
    return { totalCount: found.total, newestReleaseDate: readNewestDate(search.list, found) };
  };

  const readings = await findReadings(searchService, first, tryOut);
  const candidates = createCandidates(first);
  const relaxed: RelaxedSearch[] = [];
  let tried = 0;
  for (const { without, search: candidate } of candidates.slice(0, maxRelaxed)) {
    const found = await tryOut(candidate);
    if (found === 'untried') continue;
    tried += 1;
    if (found !== 'empty') relaxed.push({ without, ...found });
  }
  return { readings, relaxed, untriedCount: candidates.length - tried };
}

async function findReadings(
  searchService: SearchService,
  search: Search,
  tryOut: (candidate: Search) => Promise<FoundRecords | 'untried' | 'empty'>,
): Promise<ReadingSearch[]> {
  const { keyword } = search;
  if (keyword === '') return [];
  const reading = await interpretQuery(searchService.store, search, keyword);
  if (reading.criteria.length === 0 && reading.keyword === keyword) return [];
  const { texts } = await searchService.store.readQueryWords(search, false);
  let left = maxReadings;
  for (const level of [[reading], ...listShorterReadings(search.list, reading, texts)]) {
    const readings: ReadingSearch[] = [];
    for (const { criteria, keyword: words } of level.slice(0, left)) {
      const found = await tryOut(addReading(search, { criteria, keyword: words }));
      if (typeof found === 'object') readings.push({ criteria, keyword: words, ...found });
    }
    // Who leaves out less is nearer to what was meant.
    if (readings.length > 0) return readings;
    left -= level.length;
    if (left <= 0) break;
  }
  return [];
}

/** Requests one row: the newest one when the list has a date. */
function toNewestFirst(search: Search): Search {
  const date = releaseDateField(search.list);
  const field = date?.of === 'row' ? date.name : 'id';
  return {
    ...search,
    sort: [{ field, descending: true }],
    usesDefaultSort: false,
    ranksMatches: false,
    offset: 0,
    size: 1,
  };
}

function readNewestDate(list: ListDefinition, { rows }: FoundPage): number | null {
  const date = releaseDateField(list);
  const [newest] = JSON.parse(`[${rows}]`) as readonly WireRow[];
  const value = date?.of === 'row' ? newest?.[date.name] : null;
  return typeof value === 'number' ? value : null;
}
