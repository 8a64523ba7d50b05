/** Matches an element with this text, of which a number may be a link. */
export const elementText =
  (tag: 'FIGCAPTION' | 'LI' | 'P', words: string | RegExp) =>
  (_: string, element: Element | null): boolean => {
    const text = element?.textContent?.trim() ?? '';
    const matches = typeof words === 'string' ? text === words : words.test(text);
    return element?.tagName === tag && matches;
  };
