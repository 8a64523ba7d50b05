import { toCalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import { expect, test } from 'vitest';
import { toFeedState, toReadUntil } from './month-feeds.ts';

const june = toCalendarMonth('2026-06');
const at = (text: string) => Date.parse(`${text}Z`);

test.each([
  ['2026-06-03T00:00', '2026-06-01T00:00'],
  ['2026-06-09T17:59', '2026-06-01T00:00'],
  ['2026-06-10T09:00', '2026-06-09T18:00'],
  ['2026-11-01T00:00', '2026-07-01T00:00'],
])('expects a sync at %s since %s', (now, since) => {
  expect(toReadUntil(june, at(now))).toBe(at(since));
});

test.each([
  ['read', { enabled: true, lastSuccessAt: 10, run: { state: 'succeeded' } }],
  ['warnings', { enabled: true, lastSuccessAt: 10, run: { state: 'succeeded_with_warnings' } }],
  ['read', { enabled: true, lastSuccessAt: 10, run: { state: 'running' } }],
  ['behind', { enabled: true, lastSuccessAt: 9, run: { state: 'running' } }],
  ['failed', { enabled: true, lastSuccessAt: 11, run: { state: 'failed' } }],
  ['failed', { enabled: true, lastSuccessAt: 11, run: { state: 'interrupted' } }],
  ['never', { enabled: true, lastSuccessAt: null, run: null }],
  ['off', { enabled: false, lastSuccessAt: 11, run: { state: 'succeeded' } }],
] as const)('says %s of %j', (state, facts) => {
  expect(toFeedState(facts, 10)).toBe(state);
});
