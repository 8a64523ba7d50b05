/** saxes takes an end tag that matches nothing open for the end of all that is. Where faults are read past it has to end nothing. */
import type { SaxesParser } from 'saxes';

interface Internals {
  tags: { readonly name: string }[];
  readonly name: string;
  closeTag(): void;
}

/** Still reported as a fault; the tag stands in the text as it is written. */
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
