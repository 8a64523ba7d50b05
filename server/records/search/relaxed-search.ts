/** Explains an empty search: counts its results without each of its criteria. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import {
  maxRelaxed,
  type OmittedCriterion,
  type RelaxedSearch,
  type RelaxedSearches,
} from '@patch/contract/relaxed-search-endpoint.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Search } from '../criteria/search-request.ts';
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

/** Runs the candidates one after another, within the limits of the caller. @throws AppError `caller_left` */
export async function findRelaxedSearches(
  searchService: SearchService,
  caller: SearchCaller,
  search: Search,
  now: () => number = () => performance.now(),
): Promise<RelaxedSearches> {
  const first = toNewestFirst(search);
  const original = await searchService.find(caller, first);
  if (original.total > 0) return { relaxed: [], untriedCount: 0 };
  const begun = now();
  const candidates = createCandidates(first);
  const relaxed: RelaxedSearch[] = [];
  let tried = 0;
  for (const { without, search: candidate } of candidates.slice(0, maxRelaxed)) {
    if (now() - begun > timeBudgetMs) break;
    const found = await findUnlessExpensive(searchService, caller, candidate);
    if (found === null) continue;
    tried += 1;
    if (found.total > 0)
      relaxed.push({
        without,
        totalCount: found.total,
        newestReleaseDate: readNewestDate(search.list, found),
      });
  }
  return { relaxed, untriedCount: candidates.length - tried };
}

async function findUnlessExpensive(
  searchService: SearchService,
  caller: SearchCaller,
  search: Search,
): Promise<FoundPage | null> {
  try {
    return await searchService.find(caller, search);
  } catch (error) {
    if (error instanceof AppError && error.code === 'search_too_expensive') return null;
    throw error;
  }
}

/** Requests one row: the newest one when the list has a date. */
function toNewestFirst(search: Search): Search {
  const date = releaseDateField(search.list);
  const field = date?.of === 'row' ? date.name : 'id';
  return {
    ...search,
    sort: [{ field, descending: true }],
    usesDefaultSort: false,
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
