import { expect, test } from 'vitest';
import { hashPassword, isPassword } from './password-hash.ts';

test("hashes with OWASP's minimum for argon2id and a random salt", async () => {
  const [one, other] = await Promise.all([hashPassword('the same'), hashPassword('the same')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(other).not.toBe(one);
});

test('accepts only the password, however its accents are typed', async () => {
  const hash = await hashPassword('pr\u00fcfen');
  expect(await isPassword('pru\u0308fen', hash)).toBe(true);
  expect(await isPassword('prufen', hash)).toBe(false);
});

test('accepts no password for a null hash, and throws on a malformed hash', async () => {
  expect(await isPassword('', null)).toBe(false);
  await expect(isPassword('any', '$2b$10$abcdefghijklmnopqrstuv')).rejects.toThrow(
    'not in the form',
  );
});
