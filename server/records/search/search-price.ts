/** What a search would cost the database, judged before it is run from a sample of the list and from the planner's plan. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { keywordParts } from '../criteria/keyword-parts.ts';
import { isWhole, type Search } from '../criteria/search-request.ts';
import { testedColumns, testOfEachLine } from './condition-sql.ts';
import { selectivePattern } from './keyword-sql.ts';
import { type ListSample, rowsWithParts } from './list-sample-store.ts';
import { indexScanSql, orderSegmentsOf, PlanRow, plannedSql } from './search-sql.ts';

export interface SearchPrice {
  /** It is done in windows, slower than all others. */
  readonly isHeavy: boolean;
  /** Every row may be tested in one statement. */
  readonly isSmall: boolean;
  /** One statement may find all matching rows. */
  readonly inOneStatement: boolean;
  /** For this pattern the index of words names so few rows that they are looked at together; null when there is none such. */
  readonly rarePattern: string | null;
  /** Testing one row, in microseconds. */
  readonly oneRow: number;
}

export interface PriceParts {
  readonly limits: PriceLimits;
  /** Rows that are looked at together when the index of words names them. */
  readonly fewRows: number;
}

/** In milliseconds. */
export interface PriceLimits {
  /** A search that takes longer is done in windows, as a heavy one. */
  readonly heavyAbove: number;
  /** A search for which every row would have to be tested for longer than this is refused. */
  readonly refusedAbove: number;
}

export const measuredLimits: PriceLimits = { heavyAbove: 30, refusedAbove: 60_000 };

// Measured with the embedded database, in microseconds; a PostgreSQL server is two to four times as fast.
const perRow = 0.8;
const perTest = 0.1;
const perCharacterOfPattern = 0.004;
const perCharacterOfLines = 0.02;
const perComparison = 0.05;
const charactersOfLine = 15;
/** A unit of the planner's cost. */
const perUnit = 8;

/** The work that a search's tests are for one row, in microseconds. */
export function priceOfRow(
  { list, keyword, conditions }: Search,
  { widths }: Pick<ListSample, 'widths'>,
): number {
  const ofKeyword =
    keywordParts(list, keyword).length *
    (perTest + (widths.get('keyword') ?? 0) * perCharacterOfPattern);
  const looked = new Set<string>();
  return conditions.reduce(
    (sum, condition) => sum + priceOfCondition(list, condition, widths, looked),
    perRow + ofKeyword,
  );
}

function priceOfCondition(
  list: ListDefinition,
  condition: Condition,
  widths: ListSample['widths'],
  looked: Set<string>,
): number {
  const { folded, storage } = columnsOfField(list, condition.name);
  const width = folded === null ? 0 : (widths.get(folded) ?? 0);
  if (condition.kind === 'like' && testOfEachLine(list, condition) === null)
    return perTest + width * perCharacterOfPattern;
  if (
    condition.kind === 'null' ||
    condition.kind === 'between' ||
    folded === null ||
    !storage.several
  ) {
    return condition.kind === 'oneOf' ? perTest + condition.values.length * 0.01 : perTest;
  }
  if (condition.kind === 'like') {
    const apart = looked.has(folded) ? 0 : 1 + width * perCharacterOfLines;
    looked.add(folded);
    return apart + perTest + width * perCharacterOfPattern;
  }
  // Each line is compared with each word.
  const words = condition.kind === 'oneOf' ? condition.values.length : 1;
  return 1 + width * perCharacterOfLines + (1 + width / charactersOfLine) * words * perComparison;
}

/** Throws an AppError for a search that would take too long in any way. */
export async function priceOf(
  database: Queryable,
  search: Search,
  sample: ListSample,
  { limits, fewRows }: PriceParts,
): Promise<SearchPrice> {
  const oneRow = priceOfRow(search, sample);
  const wholeList = (sample.listed * oneRow) / 1000;
  const rarePattern = patternOfFew(search, sample, fewRows);
  const isSmall = wholeList <= limits.heavyAbove;
  const oneStatement = isSmall
    ? wholeList
    : Math.min(
        isWhole(search) ? Number.POSITIVE_INFINITY : wholeList,
        await planned(database, search, sample),
      );
  const few = (Math.min(fewRows, sample.listed) * oneRow) / 1000;
  const least = Math.min(oneStatement, rarePattern === null ? oneStatement : few);
  if (least > limits.refusedAbove) throw tooExpensive(search, sample, least, limits);
  return {
    isHeavy: least > limits.heavyAbove,
    isSmall,
    rarePattern,
    oneRow,
    inOneStatement: oneStatement <= limits.heavyAbove,
  };
}

/** Milliseconds by the planner: of the conditions that an ordered index answers; without any conditions, of the order. */
async function planned(database: Queryable, search: Search, sample: ListSample): Promise<number> {
  const indexed = search.conditions.filter((condition) => isIndexed(search.list, condition));
  if (indexed.length === 0 && !isWhole(search)) return Number.POSITIVE_INFINITY;
  const [segment = { identity: 'any', value: 'any' } as const] = orderSegmentsOf(search);
  const statement = isWhole(search)
    ? indexScanSql(
        search,
        { segment, backwards: false, from: null, skip: search.offset },
        search.size,
      )
    : plannedSql({ ...search, keyword: '', conditions: indexed });
  const rows = await queryRows(database, PlanRow, `explain ${statement.text}`, statement.values);
  const [, cost, found] =
    /cost=[\d.]+\.\.([\d.]+) rows=(\d+)/.exec(rows[0]?.['QUERY PLAN'] ?? '') ?? [];
  // The planner counts what its conditions cost; the others are tested on what those leave.
  const others = {
    ...search,
    conditions: search.conditions.filter((condition) => !indexed.includes(condition)),
  };
  const ofOthers = isWhole(others) ? 0 : priceOfRow(others, sample);
  return (Number(cost) * perUnit + Number(found) * ofOthers) / 1000;
}

function isIndexed(list: ListDefinition, condition: Condition): boolean {
  if (
    condition.kind === 'like' ||
    ((condition.kind === 'oneOf' || condition.kind === 'null') && condition.negated)
  )
    return false;
  if (condition.kind === 'compared' && condition.comparison === '!=') return false;
  return testedColumns(list, condition).every(
    (column) => column === columnsOfField(list, condition.name).sortedFrom,
  );
}

function patternOfFew(search: Search, sample: ListSample, fewRows: number): string | null {
  const pattern = selectivePattern(search, sample);
  return pattern !== null && rowsWithParts([pattern], sample) <= fewRows ? pattern : null;
}

function tooExpensive(
  search: Search,
  { listed }: ListSample,
  milliseconds: number,
  { refusedAbove }: PriceLimits,
): AppError {
  const inside =
    search.conditions.filter(({ kind }) => kind === 'like').length +
    keywordParts(search.list, search.keyword).length;
  return new AppError(
    'search_too_expensive',
    `This search would test ${listed.toLocaleString('en')} records for about ${Math.round(milliseconds / 1000)} seconds; at most ${refusedAbove / 1000} are allowed. ` +
      `It looks inside texts ${inside} times: use fewer such conditions, or add a range of a date or a word of three or more letters or digits that few records have.`,
  );
}
