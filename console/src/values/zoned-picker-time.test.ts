import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  instantChosen,
  instantPicked,
  isOutside,
  pickerTime,
  writeInstant,
} from './zoned-picker-time.ts';

test("shows the zone's local time regardless of the machine's zone", () => {
  expect(
    pickerTime(Date.UTC(2024, 2, 12, 17, 5), 'Asia/Kolkata').format('DD/MM/YYYY hh:mm A'),
  ).toBe('12/03/2024 10:35 PM');
});

test('converts an instant to picker time and back, to the minute', () => {
  const anyMinute = fc.integer({ min: 0, max: 2 ** 26 }).map((minute) => minute * 60_000);
  fc.assert(
    fc.property(
      anyMinute,
      fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Sao_Paulo', 'Pacific/Apia'),
      (at, zone) => {
        const back = instantPicked(pickerTime(at, zone), zone);
        // A repeated hour is converted to its first occurrence.
        expect(at - back === 0 || at - back === 3_600_000).toBe(true);
      },
    ),
  );
});

test('converts a skipped local time to the instant after the change', () => {
  const skipped = pickerTime(Date.UTC(2024, 2, 31, 2, 30), 'UTC');
  expect(new Date(instantPicked(skipped, 'Europe/Berlin')).toISOString()).toBe(
    '2024-03-31T01:30:00.000Z',
  );
});

test('returns zero seconds with time, the start or end of the day without, and 0 for an empty picker', () => {
  const zone = 'Asia/Kolkata';
  const picked = pickerTime(Date.UTC(2024, 2, 12, 17, 5), zone)
    .second(42)
    .millisecond(7);
  const chosen = (withTime: boolean, endOfDay: boolean) =>
    new Date(instantChosen(picked, zone, { withTime, endOfDay })).toISOString();
  expect(chosen(true, false)).toBe('2024-03-12T17:05:00.000Z');
  expect(chosen(false, false)).toBe('2024-03-11T18:30:00.000Z');
  expect(chosen(false, true)).toBe('2024-03-12T18:29:59.999Z');
  expect(instantChosen(null, zone, { withTime: true, endOfDay: false })).toBe(0);
});

test('returns start and end of a day of 23 hours', () => {
  const picked = pickerTime(Date.UTC(2024, 2, 31, 12), 'Europe/Berlin');
  const choose = (endOfDay: boolean) =>
    instantChosen(picked, 'Europe/Berlin', { withTime: false, endOfDay });
  expect(choose(true) - choose(false)).toBe(23 * 3_600_000 - 1);
});

test('accepts the bounds themselves and an empty choice', () => {
  expect([9, 10, 20, 21, 0].map((at) => isOutside(at, 10, 20))).toEqual([
    true,
    false,
    false,
    true,
    false,
  ]);
  expect([isOutside(5), isOutside(5, undefined, 4), isOutside(5, 6)]).toEqual([false, true, true]);
});

test('writes an instant in the zone and in the format that users type', () => {
  expect(writeInstant('Asia/Kolkata')(Date.UTC(2024, 2, 12, 17, 5))).toBe('12/03/2024 10:35 PM');
});
