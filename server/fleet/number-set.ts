/** Sets of whole numbers as bytes: ascending, each as the difference to the one before, seven bits a byte. */

/** Takes numbers from 0 to 2^31 - 1 in any order, several times or once. */
export function encodeNumbers(numbers: Iterable<number>): Buffer {
  const sorted = Uint32Array.from(new Set(numbers)).sort();
  const bytes = Buffer.allocUnsafe(sorted.length * 5);
  let [at, before] = [0, 0];
  for (const number of sorted) {
    let rest = number - before;
    before = number;
    while (rest > 127) {
      bytes[at] = (rest & 127) | 128;
      at += 1;
      rest >>>= 7;
    }
    bytes[at] = rest;
    at += 1;
  }
  return bytes.subarray(0, at);
}

/** Ascending. */
export function decodeNumbers(bytes: Uint8Array): readonly number[] {
  const numbers: number[] = [];
  let [number, rest, shift] = [0, 0, 0];
  for (const byte of bytes) {
    rest |= (byte & 127) << shift;
    if (byte > 127) {
      shift += 7;
      continue;
    }
    number += rest;
    numbers.push(number);
    [rest, shift] = [0, 0];
  }
  return numbers;
}
