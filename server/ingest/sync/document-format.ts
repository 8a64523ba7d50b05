/** Recognizes the format of a document by its first bytes. */

/** Formats by the bytes at their beginning. */
const signatures: readonly (readonly [name: string, start: readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ['bzip2', [0x42, 0x5a, 0x68]],
  ['ZIP', [0x50, 0x4b]],
  ['CAB', [0x4d, 0x53, 0x43, 0x46]],
];

/** Endings of documents that are never pages. */
const dataEndings = /\.(?:json|jsonl|xml|csv|ya?ml|gz|xz|bz2|zst|zip|cab|plist|txt|sucatalog|db)$/i;

export type DocumentFormat = { readonly name: string } | { readonly problem: string };

/** @param start The first bytes; empty for an empty document. */
export function recognizeFormat(url: string, start: Uint8Array): DocumentFormat {
  if (start.length === 0) return { problem: 'it is empty' };
  const known = signatures.find(([, bytes]) => bytes.every((byte, at) => start[at] === byte));
  if (known !== undefined) return { name: known[0] };
  const text = new TextDecoder()
    .decode(start.subarray(0, 1000))
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (/^(?:<!doctype html|<html)/i.test(text))
    return dataEndings.test(new URL(url).pathname)
      ? { problem: 'it is a web page in place of data, such as the sign-in page of a proxy' }
      : { name: 'HTML' };
  if (/^[[{]/.test(text)) return { name: 'JSON' };
  return { name: text.startsWith('<') ? 'XML' : 'text' };
}
