/** Proves that percentiles of the bench are computed right. */
import { describe, expect, it } from 'vitest';
import { percentiles } from './measure-calls.ts';

describe('percentiles', () => {
  it('takes the nearest rank, whatever the order of the calls', () => {
    const hundred = Array.from({ length: 100 }, (_, n) => ((n * 37) % 100) + 1);
    expect(percentiles(hundred)).toEqual({ p50: 50, p95: 95, p99: 99, longest: 100, calls: 100 });
    expect(percentiles([7, 3])).toEqual({ p50: 3, p95: 7, p99: 7, longest: 7, calls: 2 });
  });
});
