/**
 * Chosen values of a facet and the criterion after a value is pressed. Both derive from the field's criterion alone, so that search
 * bar, address and facets agree.
 */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { dayAt, startOfDay } from '@patch/contract/dates/zoned-day.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { FacetValue } from '@patch/contract/records/search-summary-endpoint.ts';

/** Year, word or boolean; null stands for records without a value. */
export type FacetWord = FacetValue['value'];

interface FacetField {
  readonly name: string;
  readonly definition: Field<FieldKind, unknown>;
  /** Undefined without a criterion on the field. */
  readonly criterion: FieldCriterion | undefined;
  readonly timeZone: string;
  /** No field of the rows: its only value is that a row meets it. */
  readonly isCriterion?: boolean;
}

/** Returns an empty array when no set of values expresses the criterion, such as `contains` or `not_in`. */
export function getChosenValues({
  definition: { kind },
  criterion,
  timeZone,
  isCriterion = false,
}: FacetField): readonly FacetWord[] {
  if (criterion === undefined) return [];
  if (isCriterion) return criterion.operator === 'is_not_null' ? [true] : [];
  if (kind === 'flag')
    return flagSets.find(({ test }) => isSameFlagTest(test, criterion))?.values ?? [];
  const { operator, value } = criterion;
  if (operator === 'is_null') return [null];
  if (kind === 'date') return findCoveredYears(criterion, timeZone);
  if (operator === 'in') return value as readonly FacetWord[];
  return operator === 'equal' && value !== undefined ? [value as FacetWord] : [];
}

/** Returns the criterion after a value is pressed; undefined removes it. */
export function toggleValue(field: FacetField, value: FacetWord): FieldCriterion | undefined {
  const { name, definition, timeZone } = field;
  const chosen = getChosenValues(field);
  const without = chosen.filter((other) => !isSameValue(other, value));
  const added = without.length === chosen.length;
  if (field.isCriterion === true)
    return added ? { paramName: name, operator: 'is_not_null' } : undefined;
  if (definition.kind === 'flag')
    return toFlagCriterion(name, added ? [...chosen, value] : without);
  // The filter language cannot express "empty or one of these".
  if (value === null) return added ? { paramName: name, operator: 'is_null' } : undefined;
  if (definition.kind === 'date')
    return toggleYear(name, {
      chosen: chosen as readonly number[],
      year: Number(value),
      timeZone,
    });
  const values = (added ? [...chosen, value] : without).filter((word) => word !== null);
  return values.length === 0
    ? undefined
    : { paramName: name, operator: 'in', value: values as (string | number)[] };
}

/** Compares words like the server. */
export function isSameValue(a: FacetWord, b: FacetWord): boolean {
  return typeof a === 'string' && typeof b === 'string' ? fold(a) === fold(b) : a === b;
}

type FlagTest = Pick<FieldCriterion, 'operator' | 'value'>;

/** Criterion of each set of yes, no and not known. `not_equal` includes records without a value. */
const flagSets: readonly { readonly values: readonly FacetWord[]; readonly test: FlagTest }[] = [
  { values: [true], test: { operator: 'equal', value: true } },
  { values: [false], test: { operator: 'equal', value: false } },
  { values: [null], test: { operator: 'is_null' } },
  { values: [true, false], test: { operator: 'is_not_null' } },
  { values: [true, null], test: { operator: 'not_equal', value: false } },
  { values: [false, null], test: { operator: 'not_equal', value: true } },
];

const isSameFlagTest = (a: FlagTest, b: FlagTest): boolean =>
  a.operator === b.operator && a.value === b.value;

function toFlagCriterion(name: string, chosen: readonly FacetWord[]): FieldCriterion | undefined {
  const found = flagSets.find(
    ({ values }) =>
      values.length === chosen.length && values.every((value) => chosen.includes(value)),
  );
  return found && { paramName: name, ...found.test };
}

/** Converts years to a date criterion and back. A criterion is one range, so only adjacent years can be chosen together. */
const startOfYear = (year: number, timeZone: string): number =>
  startOfDay({ year, month: 1, day: 1 }, timeZone);

/** A longer range was not chosen by years. */
const maxYears = 200;

/** Returns the years that the criterion covers exactly, oldest first; empty when it begins or ends within a year. */
function findCoveredYears(
  { operator, value, toValue }: FieldCriterion,
  timeZone: string,
): readonly number[] {
  if (operator !== 'between' || typeof value !== 'number' || toValue === undefined) return [];
  const first = dayAt(value, timeZone).year;
  const last = dayAt(toValue, timeZone).year;
  const coversFullYears =
    startOfYear(first, timeZone) === value && startOfYear(last + 1, timeZone) - 1 === toValue;
  return coversFullYears && last - first < maxYears
    ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
    : [];
}

interface PressedYear {
  /** Adjacent years, oldest first. */
  readonly chosen: readonly number[];
  readonly year: number;
  readonly timeZone: string;
}

/** Adds an adjacent year; another year replaces the chosen ones. Pressing a chosen year keeps the newer ones, or else the older ones. */
function toggleYear(
  paramName: string,
  { chosen, year, timeZone }: PressedYear,
): FieldCriterion | undefined {
  const years = toggleInRange(chosen, year);
  const [first] = years;
  const last = years.at(-1);
  return first === undefined || last === undefined
    ? undefined
    : {
        paramName,
        operator: 'between',
        value: startOfYear(first, timeZone),
        toValue: startOfYear(last + 1, timeZone) - 1,
      };
}

function toggleInRange(chosen: readonly number[], year: number): readonly number[] {
  if (chosen.includes(year)) {
    const newer = chosen.filter((other) => other > year);
    return newer.length > 0 ? newer : chosen.filter((other) => other < year);
  }
  if (chosen[0] === year + 1) return [year, ...chosen];
  return chosen.at(-1) === year - 1 ? [...chosen, year] : [year];
}
