import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createActivationCode, randomLetters, readActivationCode } from './activation-code.ts';

const code = fc
  .uint8Array({ minLength: randomLetters, maxLength: randomLetters })
  .map(createActivationCode);
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

test('has five groups of five distinguishable letters', () => {
  fc.assert(
    fc.property(code, (one) => /^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/.test(one)),
  );
  expect(() => createActivationCode(new Uint8Array(3))).toThrow('24 random bytes');
});

test('is read however it is typed', () => {
  fc.assert(
    fc.property(code, (one) => {
      const sloppy = ` ${one.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `;
      expect(readActivationCode(sloppy)).toBe(one);
      expect(readActivationCode(one.replaceAll('1', 'I').replaceAll('-', ''))).toBe(one);
    }),
  );
});

test('detects a wrong letter, and two swapped neighbours', () => {
  fc.assert(
    fc.property(
      code,
      fc.nat(24),
      fc.constantFrom(...Array.from(letters)),
      (valid, index, letter) => {
        const plain = Array.from(valid.replaceAll('-', ''));
        fc.pre(plain[index] !== letter);
        expect(readActivationCode(plain.with(index, letter).join(''))).toBeNull();
        const [here = '', next] = plain.slice(index, index + 2);
        if (next === undefined || next === here) return;
        expect(
          readActivationCode(
            plain
              .with(index, next)
              .with(index + 1, here)
              .join(''),
          ),
        ).toBeNull();
      },
    ),
  );
});

test('refuses invalid codes', () => {
  for (const typed of ['', 'AAAAA-AAAAA', 'U'.repeat(25), '0'.repeat(26), '0000 0000\n🦭'])
    expect(readActivationCode(typed)).toBeNull();
});
