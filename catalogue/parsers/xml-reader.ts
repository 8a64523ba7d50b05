/**
 * Streams the requested elements of an XML document, each complete. Names are local names: prefixes and namespaces are ignored.
 * No DTD is read, and no entity is expanded except the five of XML itself.
 */
import { RecordPaths } from './record-paths.ts';
import { RecordReader } from './record-reader.ts';
import { BrokenXml, type XmlElement, type XmlFault } from './xml-element.ts';

interface XmlOptions {
  /**
   * Receives every fault; the reader then continues behind it. Without it the first fault throws. A truncated document always
   * throws.
   */
  readonly onFault?: (fault: XmlFault) => void;
  /** Decides, where a path ends in '*', whether an element of that name is a record, at any depth. */
  readonly isRecord?: (name: string) => boolean;
}

/**
 * Yields records in the document's order. A record inside a record is part of the outer one; when faults are reported, the outer
 * one lacks its end.
 * @param paths lead from the root: 'updates/update', or 'updates/*' for all elements there.
 */
export async function* xmlRecords(
  chunks: AsyncIterable<string>,
  paths: readonly string[],
  { onFault, isRecord = () => false }: XmlOptions = {},
): AsyncGenerator<XmlElement> {
  const reader = new RecordReader(new RecordPaths(paths, isRecord), onFault);
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

/** Parses XML without a root: several elements side by side, as Windows Update stores the facts of an update. Throws BrokenXml. */
export async function xmlFragment(bytes: Uint8Array): Promise<readonly XmlElement[]> {
  const text = decodeText(bytes).replace(/^\s*<\?xml[^>]*\?>/, '');
  async function* wrapped() {
    yield `<fragment>${text}</fragment>`;
  }
  for await (const { children } of xmlRecords(wrapped(), ['fragment'])) return children;
  return [];
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new BrokenXml('it is not UTF-8', { cause: error });
  }
}
