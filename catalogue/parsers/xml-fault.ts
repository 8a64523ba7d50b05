/** Faults of XML documents: those that can be read past, and the error that ends reading. */
import type { XmlElement } from './xml-element.ts';

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
