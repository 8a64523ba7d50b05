import { expect, test } from 'vitest';
import { parseRetryAfter } from './http-client.ts';

/** Half a minute before the date of the examples in RFC 9110, 5.6.7. */
const now = Date.UTC(1994, 10, 6, 8, 49, 7);

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
  ['Sun Nov  6 08:49:37 1994', 30_000],
  ['Sun, 06 Nov 1994 08:49:00 GMT', 0],
])('reads %j as a wait of %i ms', (text, wait) => {
  const zone = process.env['TZ'];
  process.env['TZ'] = 'America/New_York';
  expect(parseRetryAfter(text, now)).toBe(wait);
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([undefined, '', '-5', '1.5', 'soon', 'P1D', 'Sun, 99 Nov 1994 08:49:37 GMT'])(
  'reads no wait from %j',
  (text) => {
    expect(parseRetryAfter(text, now)).toBeNull();
  },
);
