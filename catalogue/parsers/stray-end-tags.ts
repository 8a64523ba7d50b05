/** Makes saxes tolerate surplus and missing end tags, for readers that continue after faults. */
import type { SaxesParser } from 'saxes';

interface Internals {
  tags: { readonly name: string }[];
  readonly name: string;
  closeTag(): void;
}

/**
 * saxes treats an end tag that matches no open element as the end of everything. This reports it as a fault and leaves the tag in
 * the text.
 */
export function keepOpenAtStrayEndTags(parser: SaxesParser): void {
  const internals = parser as unknown as Internals;
  const closeTag = internals.closeTag.bind(parser);
  internals.closeTag = () => {
    const { tags, name } = internals;
    if (tags.at(-1)?.name === name || tags.some((tag) => tag.name === name)) return closeTag();
    internals.tags = [];
    closeTag();
    internals.tags = tags;
  };
}

/** Ends all open elements except the outermost ones, of which `depth` stay open. */
export function endBelow(parser: SaxesParser, depth: number): void {
  (parser as unknown as Internals).tags.length = depth;
}
