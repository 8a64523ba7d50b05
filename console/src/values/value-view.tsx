/** Renders a value with the view of its field kind. */
import type { FieldKind, ValueOfKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import type { WireValue } from '@patch/contract/base/row-schema.ts';
import type { ComponentType } from 'react';
import styles from './values.module.css';

export type AnyField = Field<FieldKind, unknown>;

export interface ValueProps<Kind extends FieldKind> {
  readonly field: Field<Kind, unknown>;
  readonly value: ValueOfKind[Kind];
}

/** A new field kind does not compile until each of these tables has a view for it. */
export type ViewOfKind = { readonly [Kind in FieldKind]: ComponentType<ValueProps<Kind>> };

/** Returns true for undefined, null, an empty text and an empty array. */
export function isEmptyValue(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** Returns the field's label for the value, or the value without a label. */
export function labelFor({ words }: AnyField, value: string): string {
  return words !== undefined && Object.hasOwn(words, value) ? (words[value] ?? value) : value;
}

export interface AnyValueProps {
  readonly field: AnyField;
  readonly value: WireValue;
}

/** The contract's schema guarantees that the value is of the field's kind. */
export function ValueView({ views, field, value }: AnyValueProps & { readonly views: ViewOfKind }) {
  if (isEmptyValue(value)) {
    return (
      <span className={styles['quiet']}>
        <span aria-hidden>—</span>
        <span className="visually-hidden">None</span>
      </span>
    );
  }
  const View = views[field.kind] as ComponentType<{ field: AnyField; value: unknown }>;
  return <View field={field} value={value} />;
}
