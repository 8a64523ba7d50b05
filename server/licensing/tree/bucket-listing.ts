/** Replies to ListObjectsV2. */

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

export interface Listing {
  readonly objects: readonly ListedObject[];
  /** Continues the list; null on the last page. */
  readonly next: string | null;
}

/** Returns null for text that is no complete listing. */
export function readListing(xml: string): Listing | null {
  if (!xml.includes('<ListBucketResult') || !xml.trimEnd().endsWith('</ListBucketResult>'))
    return null;
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = '']) => ({
    key: elementText(content, 'Key') ?? '',
    bytes: Number(elementText(content, 'Size') ?? -1),
  }));
  const isTruncated = elementText(xml, 'IsTruncated') === 'true';
  const next = elementText(xml, 'NextContinuationToken');
  if (isTruncated && next === null) return null;
  return { objects, next: isTruncated ? next : null };
}

function elementText(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text === undefined ? null : text.replace(/&(#?\w+);/g, characterOf);
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function characterOf(reference: string, name: string): string {
  const code = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name);
  if (code === null) return named[name] ?? reference;
  const point =
    code[1] === undefined ? Number.parseInt(code[2] ?? '', 10) : Number.parseInt(code[1], 16);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : reference;
}
