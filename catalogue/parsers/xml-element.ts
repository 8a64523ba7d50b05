/** An element of an XML document with its content, and functions to find its children. */

/** Names are local names, without prefixes and namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The element's own text with character references resolved, without the text of its children. */
  readonly text: string;
}

export function child(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((candidate) => candidate.name === name);
}

export function children(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((candidate) => candidate.name === name) ?? [];
}

/** Returns the trimmed text of the first child of that name; null if none exists or it is empty. */
export function childText(element: XmlElement | undefined, name: string): string | null {
  return child(element, name)?.text.trim() || null;
}

/** A location at which the document is not well formed. */
export interface XmlFault {
  readonly line: number;
  readonly problem: string;
  /** The record that contains it; null outside of records. */
  readonly record: XmlElement | null;
}

export class BrokenXml extends Error {
  override readonly name = 'BrokenXml';
}
