import { describe, expect, it } from 'vitest';
import { absoluteTime, agoText, durationText } from './time-text.ts';

const noon = Date.UTC(2026, 10, 21, 12, 0);
const minute = 60_000;
const hour = 60 * minute;

describe('time texts', () => {
  it('have the specified format in the given zone', () => {
    expect(absoluteTime(noon, 'UTC')).toBe('Sat, Nov 21, 2026 12:00 PM');
    expect(absoluteTime(noon, 'Asia/Tokyo')).toBe('Sat, Nov 21, 2026 09:00 PM');
    expect(absoluteTime(Date.UTC(2026, 0, 5, 0, 7), 'UTC')).toBe('Mon, Jan 05, 2026 12:07 AM');
  });

  it.each([
    [20_000, 'just now'],
    [12 * minute, '12 minutes ago'],
    [89 * minute, '89 minutes ago'],
    [8 * hour, '8 hours ago'],
    [30 * hour, '30 hours ago'],
    [5 * 24 * hour, '5 days ago'],
    [92 * 24 * hour, '3 months ago'],
    [800 * 24 * hour, '2 years ago'],
    [970 * 24 * hour, '2 years ago'],
    [-15_000, 'just now'],
    [-30_000, 'in a moment'],
    [-2 * hour, 'in 2 hours'],
  ])('describe %d ms ago as "%s"', (distance, words) => {
    expect(agoText(noon - distance, noon)).toBe(words);
  });

  it.each([
    [400, 'under 1 s'],
    [9_000, '9 s'],
    [120_000, '2 m'],
    [125_000, '2 m 5 s'],
    [2 * hour + 5 * minute, '2 h 5 m'],
  ])('describe a duration of %d ms as "%s"', (milliseconds, words) => {
    expect(durationText(milliseconds)).toBe(words);
  });
});
