/**
 * Encodes sets of integers as bytes: ascending, each as the difference to the previous one, seven bits a byte. A zero byte joins
 * two disjoint sets, so that a database can add to a set without reading it: after the first number of a set, no difference is
 * zero.
 */
import { z } from 'zod';

export const joint = 0;

/** Of a number: 53 bits. */
const maxBytes = 8;

/** Accepts safe integers from 0 in any order, with repetitions. */
export function encodeNumbers(numbers: Iterable<number>): Buffer {
  const sorted = Float64Array.from(numbers).sort();
  let count = 0;
  for (const number of sorted) {
    if (count > 0 && sorted[count - 1] === number) continue;
    sorted[count] = number;
    count += 1;
  }
  const bytes = Buffer.allocUnsafe(count * maxBytes);
  return bytes.subarray(0, writeNumbers(bytes, 0, sorted.subarray(0, count)));
}

/** Writes ascending, distinct numbers and returns the end offset. `bytes` must have a byte for each seven bits of a number. */
export function writeNumbers(bytes: Uint8Array, from: number, numbers: Iterable<number>): number {
  let [at, before] = [from, 0];
  for (const number of numbers) {
    let rest = number - before;
    before = number;
    while (rest > 127) {
      bytes[at] = (rest % 128) | 128;
      at += 1;
      rest = Math.floor(rest / 128);
    }
    bytes[at] = rest;
    at += 1;
  }
  return at;
}

/** Returns each number once; ascending unless sets were joined. */
export function decodeNumbers(bytes: Uint8Array): readonly number[] {
  const numbers: number[] = [];
  let [number, rest, factor] = [0, 0, 1];
  let begins = true;
  // An iterator takes several times as long.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    rest += (byte & 127) * factor;
    if (byte > 127) {
      factor *= 128;
      continue;
    }
    if (rest === joint && !begins) {
      begins = true;
      number = 0;
    } else {
      number += rest;
      numbers.push(number);
      begins = false;
    }
    [rest, factor] = [0, 1];
  }
  return numbers;
}

/** A stored set of numbers, decoded. */
export const NumberSet = z.instanceof(Uint8Array).transform(decodeNumbers);
