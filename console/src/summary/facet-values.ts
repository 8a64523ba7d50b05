/** Values of a facet: those of the reply in its order, then chosen ones that are not in the reply. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { FacetValue } from '@patch/contract/records/search-summary-endpoint.ts';
import { labelFor } from '../values/value-view.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { type FacetWord, isSameValue } from './facet-choice.ts';

export interface ShownValue {
  readonly value: FacetWord;
  readonly label: string;
  readonly chosen: boolean;
  /** Undefined while unknown. */
  readonly count: number | undefined;
}

interface FacetReply {
  /** Undefined before the first reply. */
  readonly values: readonly FacetValue[] | undefined;
  /** Number of values that the reply left out. */
  readonly further: number;
}

export function buildShownValues(
  field: Field<FieldKind, unknown>,
  { values = [], further }: FacetReply,
  chosen: readonly FacetWord[],
  isCurrent: boolean,
): readonly ShownValue[] {
  const isChosen = (value: FacetWord) => chosen.some((word) => isSameValue(word, value));
  const missing = chosen.filter((word) => !values.some(({ value }) => isSameValue(word, value)));
  return [
    ...values.map(({ value, count }) => ({
      value,
      label: toValueLabel(field, value),
      chosen: isChosen(value),
      count,
    })),
    ...missing.map((value) => ({
      value,
      label: toValueLabel(field, value),
      chosen: true,
      count: isCurrent && further === 0 ? 0 : undefined,
    })),
  ];
}

export function toValueLabel(field: Field<FieldKind, unknown>, value: FacetWord): string {
  if (value === null) return field.kind === 'flag' ? 'Not known' : 'Not given';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  const severity = field.severityScale?.[String(value)];
  const label = labelFor(field, String(value));
  if (severity === undefined) return label;
  return fold(severity) === fold(label) ? severity : `${severity} (${label})`;
}

/** Accessible name: 'Critical, 1,204 records'. */
export function toAccessibleName({ label, count }: ShownValue): string {
  if (count === undefined) return label;
  return `${label}, ${formatNumber(count)} ${count === 1 ? 'record' : 'records'}`;
}
