/** Tells which criterion leaves a search empty: counts what it finds without each of them. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import {
  type LeftOut,
  maxRelaxed,
  type RelaxedSearch,
  type RelaxedSearches,
} from '@patch/contract/relaxed-search-endpoint.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Search } from '../criteria/search-request.ts';
import type { SearchDesk } from './search-desk.ts';
import type { SearchCaller } from './search-limit.ts';
import type { FoundPage } from './search-store.ts';

/** No further search is begun when so many milliseconds have passed: the person waits in front of an empty list. */
const patience = 5_000;

interface Candidate {
  readonly without: LeftOut;
  readonly search: Search;
}

/** The search without each of its conditions, without its keyword, and without each term of the keyword. */
export function relaxedCandidates(search: Search): readonly Candidate[] {
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

/** Each search passes the desk like any other, one after another. Ends with an AppError when the caller leaves. */
export async function relaxedSearches(
  desk: SearchDesk,
  caller: SearchCaller,
  search: Search,
  now: () => number = () => performance.now(),
): Promise<RelaxedSearches> {
  const first = newestFirst(search);
  const asked = await desk.find(caller, first);
  if (asked.total > 0) return { relaxed: [], untriedCount: 0 };
  const begun = now();
  const candidates = relaxedCandidates(first);
  const relaxed: RelaxedSearch[] = [];
  let tried = 0;
  for (const { without, search: candidate } of candidates.slice(0, maxRelaxed)) {
    if (now() - begun > patience) break;
    const found = await foundUnlessExpensive(desk, caller, candidate);
    if (found === null) continue;
    tried += 1;
    if (found.total > 0)
      relaxed.push({
        without,
        totalCount: found.total,
        newestReleaseDate: newestDate(search.list, found),
      });
  }
  return { relaxed, untriedCount: candidates.length - tried };
}

async function foundUnlessExpensive(
  desk: SearchDesk,
  caller: SearchCaller,
  search: Search,
): Promise<FoundPage | null> {
  try {
    return await desk.find(caller, search);
  } catch (error) {
    if (error instanceof AppError && error.code === 'search_too_expensive') return null;
    throw error;
  }
}

/** One row is enough: the newest, where rows have a date. */
function newestFirst(search: Search): Search {
  const date = releaseDateField(search.list);
  const field = date?.of === 'row' ? date.name : 'id';
  return { ...search, sort: [{ field, descending: true }], ownOrder: false, offset: 0, size: 1 };
}

function newestDate(list: ListDefinition, { rows }: FoundPage): number | null {
  const date = releaseDateField(list);
  const [newest] = JSON.parse(`[${rows}]`) as readonly WireRow[];
  const value = date?.of === 'row' ? newest?.[date.name] : null;
  return typeof value === 'number' ? value : null;
}
