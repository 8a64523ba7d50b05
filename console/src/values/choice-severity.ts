/** Severity of a choice on the scale that all lists share. */
import { type Severity, severities } from '@patch/catalogue/schemas/severities.ts';
import type { AnyField } from './value-view.tsx';

export const hasSeverity = ({ look, severityScale }: AnyField): boolean =>
  look === 'severity' || severityScale !== undefined;

/** Returns undefined for other choices, and 'Unspecified' for words outside of the scale. */
export function toChoiceSeverity(field: AnyField, value: unknown): Severity | undefined {
  if (!hasSeverity(field)) return undefined;
  const word = field.severityScale === undefined ? value : field.severityScale[String(value)];
  return severities.find((severity) => severity === word) ?? 'Unspecified';
}

/** Returns true for a value that follows from other facts than the vendor's statement. */
export const isDerived = (
  { stated }: AnyField,
  row: Readonly<Record<string, unknown>>,
  name: string,
): boolean => stated !== undefined && row[name] !== row[stated];
