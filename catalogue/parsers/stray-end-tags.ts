/** End tags that are too many, and such as are missing, where faults are read past. */
import type { SaxesParser } from 'saxes';

interface Internals {
  tags: { readonly name: string }[];
  readonly name: string;
  closeTag(): void;
}

/** saxes takes an end tag that matches nothing open for the end of all that is. Still reported as a fault; the tag stands in the text as it is written. */
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

/** Of the elements that are open only the outermost stay so, that many. */
export function endAllBut(parser: SaxesParser, depth: number): void {
  (parser as unknown as Internals).tags.length = depth;
}
