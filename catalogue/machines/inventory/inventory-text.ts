/** The text of an inventory file, whatever encoding the tool or the shell wrote it in. */

/** Of one paste or of all files together. */
export const maxInventoryBytes = 5 * 1024 * 1024;

/**
 * UTF-8, UTF-16 of either byte order with or without its mark, otherwise a single-byte code page. Which code page does not matter:
 * readers take names, numbers and versions, all of them ASCII, and never words of a language.
 */
export function inventoryText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decode('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decode('utf-16be', bytes);
  const order = unmarkedUtf16(bytes);
  if (order !== null) return decode(order, bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decode('windows-1252', bytes);
  }
}

const decode = (encoding: string, bytes: Uint8Array) => new TextDecoder(encoding).decode(bytes);

/** Text of ASCII letters in UTF-16 has a zero in every second byte; other text has none. */
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const sample = bytes.subarray(0, 4096);
  let [even, odd] = [0, 0];
  for (const [index, byte] of sample.entries()) {
    if (byte === 0 && index % 2 === 0) even += 1;
    else if (byte === 0) odd += 1;
  }
  const half = sample.length / 2;
  if (odd > half * 0.3 && even < half * 0.05) return 'utf-16le';
  return even > half * 0.3 && odd < half * 0.05 ? 'utf-16be' : null;
}
