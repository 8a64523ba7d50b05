/** Activation codes: 25 letters in five groups, made of 120 random bits and a check letter, to be read from a screen and typed. */

/** Crockford's base32, without I, L, O and U. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Number of random bytes, of which five bits each are used. */
export const randomLetters = 24;

export function createActivationCode(random: Uint8Array): string {
  if (random.length !== randomLetters)
    throw new Error(`An activation code is made of ${randomLetters} random bytes`);
  const values = Array.from(random, (byte) => byte & 31);
  return formatGroups(
    [...values, checkValue(values)].map((value) => letters[value] ?? '').join(''),
  );
}

/** Normalizes a typed code; returns null for an impossible one: too short, too long, or mistyped. */
export function readActivationCode(typed: string): string | null {
  const plain = typed
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  const values = Array.from(plain, (letter) => letters.indexOf(letter));
  if (values.length !== randomLetters + 1 || values.includes(-1)) return null;
  return checkValue(values.slice(0, -1)) === values.at(-1) ? formatGroups(plain) : null;
}

/**
 * Computes the check value. Every single wrong letter and every swap of two letters changes it: powers of x in GF(32) repeat only
 * after 31.
 */
function checkValue(values: readonly number[]): number {
  return values.reduce((sum, value) => timesX(sum ^ value), 0);
}

/** Multiplies by x modulo x⁵ + x² + 1. */
const timesX = (value: number) => (value & 16 ? (value << 1) ^ 0b100101 : value << 1);

const formatGroups = (plain: string) => (plain.match(/.{5}/g) ?? []).join('-');
