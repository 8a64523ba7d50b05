import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { maskedJson, maskUnknown } from './masked-json.ts';

const maskAndParse = (value: unknown) => JSON.parse(maskedJson(value) ?? 'null') as unknown;

test.each([
  [{ password: 'hunter2' }, { password: '•••' }],
  [
    { oldPassword: 'a', newPassword: 'b' },
    { oldPassword: '•••', newPassword: '•••' },
  ],
  [
    { clientSecret: 's', TOTPSecret: 's', api_key: 'k' },
    { clientSecret: '•••', TOTPSecret: '•••', api_key: '•••' },
  ],
  [
    { activationCode: 'ABCDE-12345', otp: '123456', token: 't', accessTokens: ['t', 'u'] },
    { activationCode: '•••', otp: '•••', token: '•••', accessTokens: ['•••', '•••'] },
  ],
  [
    { secret: { inner: 'deep' }, backupCodes: [{ value: 'x' }] },
    { secret: '•••', backupCodes: ['•••'] },
  ],
  // Empty and boolean values stay: they show only whether a secret is set.
  [
    { password: '', token: null, passwordSet: true },
    { password: '', token: null, passwordSet: true },
  ],
  // Secrets are texts.
  [
    { otherKey: 3, secretsHeld: 0, codes: [404, 'x', true] },
    { otherKey: 3, secretsHeld: 0, codes: [404, '•••', true] },
  ],
  [
    { keyName: 'ci', tokenCount: 3, passwordPolicy: { minLength: 8 } },
    { keyName: 'ci', tokenCount: 3, passwordPolicy: { minLength: 8 } },
  ],
  [
    { keyboard: 'qwerty', encoded: 'yes', tokenizer: 'no' },
    { keyboard: 'qwerty', encoded: 'yes', tokenizer: 'no' },
  ],
  [
    { mirror: 'https://jane:hunter2@mirror.example.org/x' },
    { mirror: 'https://•••@mirror.example.org/x' },
  ],
  [{ note: 'made prk_abcdefgh12345678 for ci' }, { note: 'made prk_••• for ci' }],
])('masks %j as %j', (value, expected) => {
  expect(maskAndParse(value)).toEqual(expected);
});

test('masks a number of an input that may be refused because of it', () => {
  const input = { password: 4711, codes: [4711, null], port: 25 };
  const masked = { password: '•••', codes: ['•••', null], port: 25 };
  expect(JSON.parse(maskedJson(input, true) ?? '')).toEqual(masked);
});

test('converts values that JSON lacks', () => {
  expect(maskAndParse([1n, new Date(0), new Uint8Array(3), undefined])).toEqual([
    '1',
    '1970-01-01T00:00:00.000Z',
    '3 bytes',
    null,
  ]);
});

test('returns null for undefined, and truncates long values with a mark', () => {
  expect(maskedJson(undefined)).toBeNull();
  expect(maskedJson(null)).toBe('null');
  expect(maskAndParse('x'.repeat(5000))).toBe(`${'x'.repeat(2000)}… (5000 characters)`);
  expect(maskAndParse(Array.from({ length: 250 }, (_, n) => n))).toHaveLength(201);
  expect((maskAndParse(Array.from({ length: 250 }, (_, n) => n)) as unknown[]).at(-1)).toBe(
    '… and 50 more',
  );
  let deep: unknown = 'bottom';
  for (let level = 0; level < 10_000; level++) deep = { deep };
  expect(maskedJson(deep)).toContain('…');
});

test('returns JSON within the limit that PostgreSQL accepts and that has no secret, for any value', () => {
  const anything = fc.record({
    password: fc.string({ minLength: 1 }).map((text) => `hidden ${text}`),
    other: fc.anything({ maxDepth: 4 }),
  });
  fc.assert(
    fc.property(anything, (value) => {
      const text = maskedJson(value) ?? '';
      expect(text.length).toBeLessThanOrEqual(32 * 1024);
      expect(text).not.toContain('\0');
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain(`"password":"hidden`);
      expect(() => JSON.parse(text) as unknown).not.toThrow();
    }),
  );
  const large = Object.fromEntries(
    Array.from({ length: 200 }, (_, n) => [`field ${n}`, 'y'.repeat(1999)]),
  );
  expect(maskedJson(large)?.length).toBeLessThan(32 * 1024);
});

test('masks a secret that is nested deeper than the stack', () => {
  const nested: unknown = JSON.parse(`${'['.repeat(50_000)}"x"${']'.repeat(50_000)}`);
  expect(maskAndParse({ password: nested })).toEqual({ password: ['•••'] });
});

test('masks what a body states under names that its schema does not have', () => {
  const known = z.strictObject({ name: z.string(), secretAddress: z.string().optional() });
  const body = { name: 'Chat', address: 'https://hooks.example/SECRET', n: 4711 };
  const masked = { name: 'Chat', address: '•••', n: '•••' };
  expect(maskUnknown(known, body)).toEqual(masked);
  expect(maskUnknown(z.union([known, z.strictObject({ n: z.number() })]), body)).toEqual({
    ...masked,
    n: 4711,
  });
  expect(
    maskUnknown(
      known.transform((value) => value),
      body,
    ),
  ).toEqual(masked);
  expect(maskUnknown(z.record(z.string(), z.unknown()), body)).toEqual(body);
  expect(maskUnknown(known, ['a'])).toEqual(['a']);
});
