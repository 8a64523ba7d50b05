/**
 * Which values of a facet are chosen, and what pressing one makes of the criterion of its field. Both are read from the criterion
 * alone, so that search bar, address and facets cannot disagree.
 */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { FacetValue } from '@patch/contract/search-summary-endpoint.ts';
import { yearsBetween, yearsCriterion } from './year-range.ts';

/** A year of a date, a word, or yes and no; null: the record has no value. */
export type FacetWord = FacetValue['value'];

interface FacetField {
  readonly name: string;
  readonly definition: Field<FieldKind, unknown>;
  /** Undefined while the field is not asked. */
  readonly criterion: FieldCriterion | undefined;
  readonly timeZone: string;
}

/** None where the criterion says something that no set of values says: a part of a word, other values than these. */
export function chosenValues({
  definition: { kind },
  criterion,
  timeZone,
}: FacetField): readonly FacetWord[] {
  if (criterion === undefined) return [];
  if (kind === 'flag')
    return flagSets.find(({ says }) => isSameFlagTest(says, criterion))?.values ?? [];
  const { operator, value } = criterion;
  if (operator === 'is_null') return [null];
  if (kind === 'date') return yearsBetween(criterion, timeZone);
  if (operator === 'in') return value as readonly FacetWord[];
  return operator === 'equal' && value !== undefined ? [value as FacetWord] : [];
}

/** The criterion after a value was pressed; undefined: the field is no longer asked. */
export function toggledCriterion(field: FacetField, value: FacetWord): FieldCriterion | undefined {
  const { name, definition, timeZone } = field;
  const chosen = chosenValues(field);
  const without = chosen.filter((one) => !isSameValue(one, value));
  const added = without.length === chosen.length;
  if (definition.kind === 'flag') return flagCriterion(name, added ? [...chosen, value] : without);
  // The filter language cannot say "empty or one of these".
  if (value === null) return added ? { paramName: name, operator: 'is_null' } : undefined;
  if (definition.kind === 'date')
    return yearsCriterion(name, {
      chosen: chosen as readonly number[],
      year: Number(value),
      timeZone,
    });
  const values = (added ? [...chosen, value] : without).filter((one) => one !== null);
  return values.length === 0
    ? undefined
    : { paramName: name, operator: 'in', value: values as (string | number)[] };
}

/** Words are compared as the server compares them. */
export function isSameValue(one: FacetWord, other: FacetWord): boolean {
  return typeof one === 'string' && typeof other === 'string'
    ? fold(one) === fold(other)
    : one === other;
}

type FlagTest = Pick<FieldCriterion, 'operator' | 'value'>;

/** Every choice of yes, no and not known is a criterion: records without a value differ from both values. */
const flagSets: readonly { readonly values: readonly FacetWord[]; readonly says: FlagTest }[] = [
  { values: [true], says: { operator: 'equal', value: true } },
  { values: [false], says: { operator: 'equal', value: false } },
  { values: [null], says: { operator: 'is_null' } },
  { values: [true, false], says: { operator: 'is_not_null' } },
  { values: [true, null], says: { operator: 'not_equal', value: false } },
  { values: [false, null], says: { operator: 'not_equal', value: true } },
];

const isSameFlagTest = (one: FlagTest, other: FlagTest): boolean =>
  one.operator === other.operator && one.value === other.value;

function flagCriterion(name: string, chosen: readonly FacetWord[]): FieldCriterion | undefined {
  const found = flagSets.find(
    ({ values }) =>
      values.length === chosen.length && values.every((value) => chosen.includes(value)),
  );
  return found && { paramName: name, ...found.says };
}
