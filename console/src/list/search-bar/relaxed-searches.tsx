/** Shows what an empty search finds with its words read as criteria and without each of its criteria, with buttons that ask so. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import type {
  FoundRecords,
  OmittedCriterion,
} from '@patch/contract/records/relaxed-search-endpoint.ts';
import { dayDate } from '../../values/day-date.ts';
import { useReaderZone } from '../../values/reader-zone.ts';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import type { RequestedSearch } from '../criteria/typed-search.ts';
import styles from './relaxed-searches.module.css';
import { describeCriterion, describeReading } from './typed-reading.ts';
import { useRelaxedSearches } from './use-relaxed-searches.ts';

interface RelaxedSearchesProps {
  readonly list: ListDefinition;
  readonly currentSearch: RequestedSearch;
  readonly onAsk: (change: Partial<RequestedSearch>) => void;
}

export function RelaxedSearches({ list, currentSearch, onAsk }: RelaxedSearchesProps) {
  const zone = useReaderZone();
  const { found, isFetching } = useRelaxedSearches(list, currentSearch);
  return (
    <div
      className={`${styles['relaxed']} text-quiet text-dense figures break-anywhere`}
      aria-live="polite"
      aria-busy={isFetching}
    >
      {found !== undefined && found.readings.length > 0 && (
        <ul className="grid gap-1 plain-list" aria-label="The words read as criteria">
          {found.readings.map((reading) => (
            <li key={JSON.stringify(reading)}>
              <Button
                look="link"
                onClick={() =>
                  onAsk({
                    criteria: [...currentSearch.criteria, ...reading.criteria],
                    keyword: reading.keyword,
                  })
                }
              >
                Search for {describeReading(list, reading, zone)}
              </Button>
              {`: ${describeFound(reading)}`}
            </li>
          ))}
        </ul>
      )}
      {found !== undefined && found.relaxed.length > 0 && (
        <ul className="grid gap-1 plain-list" aria-label="Searches with one criterion less">
          {found.relaxed.map((relaxed) => (
            <li key={JSON.stringify(relaxed.without)}>
              <Button
                look="link"
                onClick={() => onAsk(relaxSearch(currentSearch, relaxed.without))}
              >
                Without {describeLeftOut(list, currentSearch, relaxed.without, zone)}
              </Button>
              {`: ${describeFound(relaxed)}`}
            </li>
          ))}
        </ul>
      )}
      {found !== undefined && (
        <p>
          {explain(currentSearch, found.readings.length + found.relaxed.length, found.untriedCount)}
        </p>
      )}
    </div>
  );
}

/** Returns '84 records; newest match May 12, 2026'. */
function describeFound({ totalCount, newestReleaseDate }: FoundRecords): string {
  const records = `${formatNumber(totalCount)} ${totalCount === 1 ? 'record' : 'records'}`;
  return newestReleaseDate === null
    ? records
    : `${records}; newest match ${dayDate(newestReleaseDate, 'UTC')}`;
}

/** Returns a sentence about criteria that were not tried, or that none alone is the cause; otherwise an empty text. */
function explain(currentSearch: RequestedSearch, found: number, untried: number): string {
  if (untried > 0) {
    const criteria = untried === 1 ? '1 criterion was' : `${formatNumber(untried)} criteria were`;
    return `${criteria} not tried.`;
  }
  const several = currentSearch.criteria.length + keywordTerms(currentSearch.keyword).length > 1;
  return found === 0 && several ? 'Removing a single criterion does not help.' : '';
}

/** Returns 'Release date is Last 90 days' or 'openssl'. */
function describeLeftOut(
  list: ListDefinition,
  { criteria, keyword }: RequestedSearch,
  without: OmittedCriterion,
  zone: string,
): string {
  switch (without.kind) {
    case 'condition': {
      const criterion = criteria[without.at];
      return criterion === undefined ? 'a criterion' : describeCriterion(list, criterion, zone);
    }
    case 'term': {
      const term = keywordTerms(keyword)[without.at];
      return term === undefined ? 'a word' : writeTerm(term);
    }
    case 'keyword':
      return `the keyword ${keyword}`;
  }
}

function relaxSearch(
  { criteria, keyword }: RequestedSearch,
  without: OmittedCriterion,
): Partial<RequestedSearch> {
  switch (without.kind) {
    case 'condition':
      return { criteria: criteria.toSpliced(without.at, 1) };
    case 'term':
      return { keyword: keywordTerms(keyword).toSpliced(without.at, 1).map(writeTerm).join(' ') };
    case 'keyword':
      return { keyword: '' };
  }
}
