/** Generates a password that is shown once and changed at the first sign-in. */
import { randomInt } from 'node:crypto';

/** No letters that look alike, since it is read from a screen and typed. 20 of 56 letters are 116 bits. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

const fiveLetters = () =>
  Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');

export const generatePassword = () => Array.from({ length: 4 }, fiveLetters).join('-');
