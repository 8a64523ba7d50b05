/** Spans of the terms of a query, and what they mean. */
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';

export interface Span {
  readonly start: number;
  /** Count of terms. */
  readonly length: number;
}

/** Words that name a value of a field. */
export interface NamedValue extends Span {
  readonly criterion: FieldCriterion;
}

/** Words with their meaning; null for those that are left out. */
export interface Meant extends Span {
  readonly criterion: FieldCriterion | null;
}

export const isTaken = (spans: readonly Span[], at: number): boolean =>
  spans.some(({ start, length }) => at >= start && at < start + length);
