/** Decodes an inventory file from whatever encoding the tool or the shell used. */

/** Limit of one paste, or of all files together. */
export const maxInventoryBytes = 5 * 1024 * 1024;

/**
 * Decodes UTF-8, UTF-16 of either byte order with or without a mark, or otherwise a single-byte code page. Readers use ASCII
 * names, numbers and versions only; the code page affects only the displayed name of a Windows product.
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
    return decode(detectCodePage(bytes), bytes);
  }
}

const decode = (encoding: string, bytes: Uint8Array) => new TextDecoder(encoding).decode(bytes);

const isDosCyrillic = (byte: number) =>
  (byte >= 0x80 && byte <= 0xaf) || (byte >= 0xe0 && byte <= 0xf1);
const isWindowsCyrillic = (byte: number) => byte >= 0xc0 || byte === 0xa8 || byte === 0xb8;

/**
 * Guesses the code page. Runs of three and more non-ASCII letters do not occur in western languages: they must all be letters of
 * one Cyrillic page.
 */
function detectCodePage(bytes: Uint8Array): string {
  let [dos, windows, run] = [0, 0, [] as number[]];
  const endRun = () => {
    if (run.length >= 3 && run.every(isDosCyrillic)) dos += run.length;
    if (run.length >= 3 && run.every(isWindowsCyrillic)) windows += run.length;
    run = [];
  };
  for (const byte of bytes) {
    if (byte >= 0x80) run.push(byte);
    else endRun();
  }
  endRun();
  if (dos === 0 && windows === 0) return 'windows-1252';
  return dos > windows ? 'ibm866' : 'windows-1251';
}

/** Detects UTF-16 without a mark: ASCII text in UTF-16 has a zero in every second byte. */
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
