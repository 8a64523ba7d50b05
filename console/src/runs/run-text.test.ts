import { describe, expect, it } from 'vitest';
import { describeProgress, getProgressPercent } from './run-text.ts';

const debian = { part: '12', partLabel: 'Debian' };

describe('run progress', () => {
  it('counts bytes while reading and records while writing', () => {
    expect(
      describeProgress({
        stage: { code: 'reading', params: debian },
        done: 5_242_880,
        total: 10_485_760,
      }),
    ).toBe('5.0 MB of 10.0 MB');
    expect(
      describeProgress({
        stage: { code: 'writing', params: debian },
        done: 12_000,
        total: 48_000,
      }),
    ).toBe('12,000 of 48,000');
  });

  it('omits an unknown total', () => {
    expect(
      describeProgress({ stage: { code: 'writing', params: debian }, done: 300, total: 0 }),
    ).toBe('300');
    expect(describeProgress({ stage: null, done: 0, total: 0 })).toBe('');
    expect(getProgressPercent({ done: 300, total: 0 })).toBeNull();
    expect(getProgressPercent({ done: 400, total: 300 })).toBe(100);
  });
});
