import type { FieldKind } from './field-kinds.ts';
import type { Field } from './fields.ts';

/** Returns the name of the database's function that orders the field's values; null when they are ordered by bytes. */
export function orderFunction({
  kind,
  isVersion,
}: Pick<Field<FieldKind, unknown>, 'kind' | 'isVersion'>):
  | 'natural_order'
  | 'version_order'
  | null {
  if (isVersion === true) return 'version_order';
  return kind === 'identifier' || kind === 'identifiers' ? 'natural_order' : null;
}
