/** An element of an XML document with all that is in it, and how to find its children. */

/** Names are local names: prefixes and namespaces do not matter. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, character references resolved; that of its children is theirs. */
  readonly text: string;
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((candidate) => candidate.name === name);
}

export function children(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((candidate) => candidate.name === name) ?? [];
}

/** The trimmed text of the first child of that name; null where there is none or it is empty. */
export function childText(element: XmlElement | undefined, name: string): string | null {
  return child(element, name)?.text.trim() || null;
}
