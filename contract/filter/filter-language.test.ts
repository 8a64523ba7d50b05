/** Properties of the filter language on generated filters: built filters are read back unchanged, and no text crashes the reader. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCriterion } from '../testing/random-criteria.ts';
import { checkFilter } from './check-filter.ts';
import { criteriaConditions } from './criteria-conditions.ts';
import type { FieldCriterion } from './criterion.ts';
import { type Condition, FilterError } from './filter-conditions.ts';
import { filterText } from './filter-text.ts';
import { parseFilter } from './parse-filter.ts';

const numRuns = Number(process.env.FILTER_RUNS ?? 2000);
const when = { now: 1_700_000_000_000, timeZone: 'UTC' };

const words = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
    fc.stringMatching(/^['%_\\ a-z]{1,12}$/),
  )
  .filter((text) => !text.includes('\0'));

const searchArbitrary: fc.Arbitrary<{ list: CatalogueList; criteria: FieldCriterion[] }> = fc
  .constantFrom(...catalogueLists)
  .chain((list) => {
    const criterion = randomCriterion(list, { words, numbers: fc.maxSafeInteger() });
    return fc.record({ list: fc.constant(list), criteria: fc.array(criterion, { maxLength: 6 }) });
  });

/** Converts a checked condition back to its criterion, with folded words. */
function criterionBack({ name: paramName, ...condition }: Condition): FieldCriterion {
  switch (condition.kind) {
    case 'null':
      return { paramName, operator: condition.negated ? 'is_not_null' : 'is_null' };
    case 'between':
      return {
        paramName,
        operator: 'between',
        value: condition.low,
        toValue: Number(condition.high),
      };
    case 'oneOf':
      return {
        paramName,
        operator: condition.negated ? 'not_in' : 'in',
        value: condition.values as (string | number)[],
      };
    case 'compared': {
      const names = {
        '=': 'equal',
        '!=': 'not_equal',
        '<': 'less_than',
        '<=': 'less_than_or_equal',
        '>': 'greater_than',
      } as const;
      const { comparison, value } = condition;
      return {
        paramName,
        operator: comparison === '>=' ? 'greater_than_or_equal' : names[comparison],
        value,
      };
    }
    case 'like': {
      const [, open, escaped = '', close] =
        /^(%?)((?:\\.|[^\\%_])*)(%?)$/su.exec(condition.pattern) ?? [];
      const value = escaped.replace(/\\(.)/gsu, '$1');
      if (open && close)
        return { paramName, operator: condition.negated ? 'not_contains' : 'contains', value };
      return { paramName, operator: open ? 'end_with' : 'start_with', value };
    }
  }
}

function foldedCriterion(criterion: FieldCriterion): FieldCriterion {
  const { value } = criterion;
  if (typeof value === 'string') return { ...criterion, value: fold(value) };
  return Array.isArray(value)
    ? { ...criterion, value: value.map((one) => (typeof one === 'string' ? fold(one) : one)) }
    : criterion;
}

test('reads built filters back unchanged', () => {
  fc.assert(
    fc.property(searchArbitrary, ({ list, criteria }) => {
      const conditions = checkFilter(list, parseFilter(filterText(list, criteria, when)));
      expect(conditions.map(criterionBack)).toEqual(criteria.map(foldedCriterion));
    }),
    { numRuns: Math.ceil(numRuns / 10) },
  );
});

test('builds from criteria the conditions that their filter text parses to', () => {
  fc.assert(
    fc.property(searchArbitrary, ({ list, criteria }) => {
      const text = filterText(list, criteria, when);
      expect(checkFilter(list, parseFilter(text))).toEqual(
        criteriaConditions(list, criteria, when),
      );
    }),
    { numRuns: Math.ceil(numRuns / 10) },
  );
});

const pieces = [
  "' '' 'x' '%it''s%' \\ % 1 -1 1.5 1e9 99999999999999999999 \0 \ud800 é 😀 \u2028",
  'and not in like between is null lower true false or select ; -- /* $1 " ` = != < > <= >= <> ( ) ,',
  'id title severity releaseDate cabExists __proto__',
].flatMap((line) => line.split(' '));
const garbage = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), {
  maxLength: 24,
});
const spoilt = searchArbitrary.chain(({ list, criteria }) => {
  const text = filterText(list, criteria, when);
  return fc
    .tuple(fc.nat(text.length), fc.nat(3), fc.constantFrom('', ...pieces))
    .map(([at, cut, piece]) => text.slice(0, at) + piece + text.slice(at + cut));
});
const anyFilter = fc.oneof(
  spoilt,
  garbage.map((parts) => parts.join(' ')),
  garbage.map((parts) => parts.join('')),
  fc.string({ maxLength: 60, unit: 'binary' }),
);

test('accepts any text, or refuses it with a position', () => {
  fc.assert(
    fc.property(fc.constantFrom(...catalogueLists), anyFilter, (list, text) => {
      const outcome = readOrRefused(list, text);
      if (outcome instanceof FilterError)
        return outcome.at >= 1 && outcome.at <= text.length + 1 && /\d/.test(outcome.message);
      return outcome.every(({ name, definition, ...condition }) => {
        const safe =
          condition.kind !== 'compared' ||
          typeof condition.value !== 'number' ||
          (definition.kind === 'decimal'
            ? Number.isFinite(condition.value)
            : Number.isSafeInteger(condition.value));
        return (
          safe && list.searchable.includes(name) && definition.kind === getField(list, name).kind
        );
      });
    }),
    { numRuns },
  );
  expect(numRuns).toBeGreaterThan(0);
}, 600_000);

/** Rethrows other errors, which are crashes. */
function readOrRefused(list: CatalogueList, text: string): readonly Condition[] | FilterError {
  try {
    return checkFilter(list, parseFilter(text));
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}
