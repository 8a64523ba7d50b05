import type { AnyField } from './value-view.tsx';

/** Normalizes an address of a vendor. Returns undefined unless it is valid and its scheme is http or https. */
export function safeAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const address = new URL(text);
  return address.protocol === 'https:' || address.protocol === 'http:' ? address.href : undefined;
}

/** Returns the address of the vendor's page about a value, if the field has one. */
export function vendorPage(field: AnyField, value: string): string | undefined {
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
