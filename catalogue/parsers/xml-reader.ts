/**
 * The elements of an XML document that a reader asks for, each whole, as the document streams by. Names are local names:
 * prefixes and namespaces do not matter. No DTD is read and no entity expanded but the five of XML itself.
 */
import { RecordPaths } from './record-paths.ts';
import { RecordReader } from './record-reader.ts';
import type { XmlElement } from './xml-element.ts';
import type { XmlFault } from './xml-fault.ts';

export interface XmlOptions {
  /** Told of every fault; the reader then goes on behind it. Without it the first fault throws. A document that ends too early always throws. */
  readonly onFault?: (fault: XmlFault) => void;
  /** Where a path ends in '*': whether an element of that name is such a record, wherever it lies. */
  readonly isRecord?: (name: string) => boolean;
}

/**
 * `paths` lead from the root: 'updates/update', or 'updates/*' for whatever lies there. Yields in the document's order. A record inside a
 * record is part of the outer one; where faults are read past, the outer one lacks its end.
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
