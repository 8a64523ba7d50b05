import fc from 'fast-check';
import { expect, test } from 'vitest';
import { activationCodeOf, randomLetters, readActivationCode } from './activation-code.ts';

const code = fc
  .uint8Array({ minLength: randomLetters, maxLength: randomLetters })
  .map(activationCodeOf);
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

test('five groups of five letters that do not look alike', () => {
  fc.assert(
    fc.property(code, (one) => /^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/.test(one)),
  );
  expect(() => activationCodeOf(new Uint8Array(3))).toThrow('24 random bytes');
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

test('a wrong letter, and two neighbours that changed places, are found out', () => {
  fc.assert(
    fc.property(code, fc.nat(24), fc.constantFrom(...Array.from(letters)), (one, place, letter) => {
      const plain = Array.from(one.replaceAll('-', ''));
      fc.pre(plain[place] !== letter);
      expect(readActivationCode(plain.with(place, letter).join(''))).toBeNull();
      const [here = '', next] = plain.slice(place, place + 2);
      if (next === undefined || next === here) return;
      expect(
        readActivationCode(
          plain
            .with(place, next)
            .with(place + 1, here)
            .join(''),
        ),
      ).toBeNull();
    }),
  );
});

test('what is no code is none', () => {
  for (const typed of ['', 'AAAAA-AAAAA', 'U'.repeat(25), '0'.repeat(26), '0000 0000\n🦭'])
    expect(readActivationCode(typed)).toBeNull();
});
