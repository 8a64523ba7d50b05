/** Fits the items of an event into a message of limited size. */
import type { CatalogueEvent } from '@patch/contract/event-endpoints.ts';

/**
 * Returns the message with the most items, at most `maxItems`, that has at most `maxBytes`.
 * @param build - Builds the message of the shown items, and says how many more there are.
 */
export function trimItems(
  { data: { items, totalCount } }: CatalogueEvent,
  { maxBytes, maxItems }: { readonly maxBytes: number; readonly maxItems: number },
  build: (shown: CatalogueEvent['data']['items'], more: number) => string,
): string {
  for (let count = Math.min(items.length, maxItems); ; count -= 1) {
    const text = build(items.slice(0, count), totalCount - count);
    if (count === 0 || Buffer.byteLength(text) <= maxBytes) return text;
  }
}

/** Returns the first characters of a text, with an ellipsis when there are more. */
export const cutText = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1).toWellFormed()}…` : text;
