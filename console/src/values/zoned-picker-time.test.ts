import fc from 'fast-check';
import { expect, test } from 'vitest';
import { instantPicked, pickerTime } from './zoned-picker-time.ts';

test("the picker shows the zone's clock, whatever the machine's own", () => {
  expect(pickerTime(Date.UTC(2024, 2, 12, 17, 5), 'Asia/Kolkata').format('DD/MM/YYYY hh:mm A')).toBe('12/03/2024 10:35 PM');
});

test('an instant comes back as it went, to the minute', () => {
  const anyMinute = fc.integer({ min: 0, max: 2 ** 26 }).map((minute) => minute * 60_000);
  fc.assert(
    fc.property(anyMinute, fc.constantFrom('UTC', 'Asia/Kolkata', 'America/Sao_Paulo', 'Pacific/Apia'), (at, zone) => {
      const back = instantPicked(pickerTime(at, zone), zone);
      // An hour that clocks show twice comes back as its first turn.
      expect(at - back === 0 || at - back === 3_600_000).toBe(true);
    }),
  );
});

test('a time that clocks skip is the moment after the change', () => {
  const skipped = pickerTime(Date.UTC(2024, 2, 31, 2, 30), 'UTC');
  expect(new Date(instantPicked(skipped, 'Europe/Berlin')).toISOString()).toBe('2024-03-31T01:30:00.000Z');
});
