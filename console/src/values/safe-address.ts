/** Addresses that come from vendors: only http and https ever become links. */
import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';

/** The address in its normal form; undefined when it is none, or has another scheme (javascript:, data:, file:). */
export function safeAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const address = new URL(text);
  return address.protocol === 'https:' || address.protocol === 'http:' ? address.href : undefined;
}

/** The vendor's own page about a value, where the field names one. */
export function vendorPage(field: Field<FieldKind, unknown>, value: string): string | undefined {
  const { page } = field;
  return (
    page &&
    safeAddress(
      page
        .replaceAll('{}', encodeURIComponent(value))
        .replaceAll('{digits}', value.replaceAll(/\D/g, '')),
    )
  );
}
