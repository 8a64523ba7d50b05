import { expect, test } from 'vitest';
import { hasSecretTrace } from './secret-traces.ts';

const secret = 'Zq7v K2+mX/w9Lr';
const base64 = (before: string) => Buffer.from(`${before}${secret}\n`).toString('base64');

test.each([
  ['plain', `535 bad: ${secret}`],
  ['in small letters', `bad ${secret.toLowerCase()}`],
  ['truncated', `bad ${secret.slice(0, 8)}…`],
  ['its end', `bad …${secret.slice(-8)}`],
  ['over lines', secret.split('').join('\r\n535-')],
  ['in an address', `/login?password=${encodeURIComponent(secret)}`],
  ['in JSON', JSON.stringify({ said: JSON.stringify({ secret }) })],
  [
    'in JSON, escaped',
    secret
      .split('')
      .map((char) => `\\u00${char.charCodeAt(0).toString(16)}`)
      .join(''),
  ],
  [
    'in HTML, escaped',
    secret
      .split('')
      .map((char) => `&#x${char.charCodeAt(0).toString(16)};`)
      .join(''),
  ],
  [
    'in HTML, in decimals',
    secret
      .split('')
      .map((char) => `&#${char.charCodeAt(0)};`)
      .join(''),
  ],
  ['in hexadecimal', Buffer.from(secret).toString('hex').toUpperCase()],
  ['in base64', base64('')],
  ['as AUTH PLAIN sends it', `unrecognized: AUTH PLAIN ${base64('\0me@example.org\0')}`],
  ['in base64 after a byte', base64('x')],
  ['in base64 after two bytes', base64('xx')],
  ['backwards', secret.split('').toReversed().join('')],
])('finds a secret %s', (_, text) => {
  expect(hasSecretTrace(text, secret)).toBe(true);
});

test.each([
  '535 5.7.8 Authentication credentials invalid',
  '550 5.1.1 <one@example.org>: Recipient address rejected: User unknown',
  `unrecognized: AUTH PLAIN ${Buffer.from('\0me\0another one').toString('base64')}`,
  '',
])('finds none in %j', (text) => {
  expect(hasSecretTrace(text, secret)).toBe(false);
});

test('finds a short secret only as it is, and none without a secret', () => {
  expect(hasSecretTrace('code 4x7', '4x7')).toBe(true);
  expect(hasSecretTrace('code 4-7', '4x7')).toBe(false);
  expect(hasSecretTrace('anything', null)).toBe(false);
  expect(hasSecretTrace('anything', '')).toBe(false);
  expect(hasSecretTrace('ok!', '?!?')).toBe(false);
});
