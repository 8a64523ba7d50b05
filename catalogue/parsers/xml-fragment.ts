/** Parses XML without a root: several elements side by side, as Windows Update stores the facts of an update. */

import type { XmlElement } from './xml-element.ts';
import { BrokenXml } from './xml-fault.ts';
import { xmlRecords } from './xml-reader.ts';

/** Returns the elements of the fragment. Throws BrokenXml. */
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
