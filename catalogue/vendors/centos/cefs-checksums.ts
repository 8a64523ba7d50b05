/** Parses errata.latest.sha1: one `sha1sum` line for the compressed errata and one for the XML inside. */
import type { Checksum, Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';

export interface CefsChecksums {
  readonly packed: Checksum;
  readonly open: Checksum | null;
}

export async function readCefsChecksums(document: Document): Promise<CefsChecksums> {
  const sums = new Map<string, Checksum>();
  for (const line of (await document.text()).split('\n')) {
    const [, value, file] = /^([\da-f]{40}) [ *](?:.*\/)?([^/]+?)\s*$/i.exec(line) ?? [];
    if (value !== undefined && file !== undefined)
      sums.set(file, { algorithm: 'sha1', value: value.toLowerCase() });
  }
  const packed = sums.get('errata.latest.xml.bz2');
  if (packed === undefined)
    throw new BrokenDocument(document.url, 'it has no checksum of errata.latest.xml.bz2');
  return { packed, open: sums.get('errata.latest.xml') ?? null };
}
