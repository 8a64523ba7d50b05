import { expect, test } from 'vitest';
import { Random } from '../testing/random-fleet.ts';
import { decodeNumbers, encodeNumbers, joint } from './number-set.ts';

test.each([
  [[]],
  [[0]],
  [[127, 128]],
  [[2 ** 31 - 1]],
  [[0, 1, 2, 16_383, 16_384, 2_097_152, 2 ** 31 - 1]],
  [[2 ** 26 * 31 - 1, 2 ** 26 * 32, 2 ** 35, 2 ** 35 + 1, 2 ** 49, Number.MAX_SAFE_INTEGER]],
])('encodes and decodes %j', (numbers) => {
  expect(decodeNumbers(encodeNumbers(numbers))).toEqual(numbers);
});

test('encodes and decodes random sets, sorted and without repetitions', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const random = new Random(seed);
    const numbers = Array.from({ length: random.below(80) }, () =>
      random.below(2 ** (1 + random.below(53))),
    );
    const expected = [...new Set(numbers)].toSorted((a, b) => a - b);
    const decoded = decodeNumbers(encodeNumbers(numbers));
    expect({ seed, decoded }).toEqual({ seed, decoded: expected });
  }
});

test('decodes joined sets to the numbers of each', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const random = new Random(seed);
    const numbers = [
      ...new Set(Array.from({ length: 3 + random.below(60) }, () => random.below(300))),
    ];
    const at = 1 + random.below(numbers.length - 1);
    const [one, other] = [numbers.slice(0, at), numbers.slice(at)];
    const joined = Buffer.concat([encodeNumbers(one), Buffer.of(joint), encodeNumbers(other)]);
    const sorted = (some: readonly number[]) => some.toSorted((a, b) => a - b);
    expect({ seed, decoded: decodeNumbers(joined) }).toEqual({
      seed,
      decoded: [...sorted(one), ...sorted(other)],
    });
  }
});

test('encodes 600 of 50,000 parts in less than a kilobyte and a half', () => {
  const random = new Random(1);
  const parts = Array.from({ length: 600 }, () => random.below(50_000));
  expect(encodeNumbers(parts).length).toBeLessThan(1200);
});
