import { expect, test } from 'vitest';
import { getMissingBand } from './missing-bands.ts';

const record = { state: 'missing', exploited: false, severity: 'Low' } as const;

test.each([
  [{ exploited: true, severity: 'Low' }, 'exploited'],
  [{ severity: 'Critical' }, 'serious'],
  [{ exploited: null, severity: 'Important' }, 'serious'],
  [{ severity: 'Moderate' }, 'others'],
  [{ severity: null }, 'others'],
  [{ exploited: true, state: 'uncertain' as const }, null],
  [{ severity: 'Critical', state: 'needsSubscription' as const }, null],
])('puts a missing record with %j into the band %s', (more, band) => {
  expect(getMissingBand({ ...record, ...more })).toBe(band);
});
