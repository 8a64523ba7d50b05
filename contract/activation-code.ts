/** Activation codes: 25 letters in five groups, 120 random bits and a check letter, as they are read from a screen and typed. */

/** Crockford's base32: no I, L, O and U. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Of random bytes of which five bits each are used. */
export const randomLetters = 24;

export function activationCodeOf(random: Uint8Array): string {
  if (random.length !== randomLetters)
    throw new Error(`An activation code is made of ${randomLetters} random bytes`);
  const values = Array.from(random, (byte) => byte & 31);
  return grouped([...values, checkValue(values)].map((value) => letters[value] ?? '').join(''));
}

/** The code as it is kept, however it was typed; null when it cannot be one: too short, too long, or mistyped. */
export function readActivationCode(typed: string): string | null {
  const plain = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  const values = Array.from(plain, (letter) => letters.indexOf(letter));
  if (values.length !== randomLetters + 1 || values.includes(-1)) return null;
  return checkValue(values.slice(0, -1)) === values.at(-1) ? grouped(plain) : null;
}

/** Every single wrong letter, and every two that changed places, give another one: powers of x in GF(32), which repeat after 31. */
function checkValue(values: readonly number[]): number {
  return values.reduce((sum, value) => timesX(sum ^ value), 0);
}

/** Modulo x⁵ + x² + 1. */
const timesX = (value: number) => (value & 16 ? (value << 1) ^ 0b100101 : value << 1);

const grouped = (plain: string) => (plain.match(/.{5}/g) ?? []).join('-');
