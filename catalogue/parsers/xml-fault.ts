/** What is wrong with an XML document: a fault that can be read past, or the error that ends the reading. */
import type { XmlElement } from './xml-element.ts';

/** Where the text of a document is not well formed. */
export interface XmlFault {
  readonly line: number;
  readonly problem: string;
  /** The record it lies in; null outside of all. */
  readonly record: XmlElement | null;
}

export class BrokenXml extends Error {
  override readonly name = 'BrokenXml';
}
