/** Repeatable random numbers. */

/** Returns a number from 0 to below 1; the same sequence for the same seed. */
export type Chance = () => number;

/** Implements Mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Element>(elements: readonly Element[], chance: Chance): Element {
  return elements[Math.floor(chance() * elements.length)] as Element;
}
