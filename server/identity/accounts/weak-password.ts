/** Refuses new passwords that break the policy, that are common, or that contain the person's own name. */
import { createRequire } from 'node:module';
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { PasswordPolicy } from '@patch/contract/form-rules/password-rules.ts';
import { brokenPasswordRules } from '@patch/contract/form-rules/password-rules.ts';
import type * as LanguageCommon from '@zxcvbn-ts/language-common';
import { AppError } from '../../platform/errors/app-error.ts';

/** The future owner of the password. */
export interface PasswordOwner {
  readonly name: string;
  readonly email: string;
}

/** @throws AppError `weak_password` or `guessable_password` with the reason. */
export function assertStrongPassword(
  policy: PasswordPolicy,
  password: string,
  owner: PasswordOwner,
): void {
  const broken = brokenPasswordRules(policy, password);
  if (broken.length > 0) {
    const missing = broken.map((rule) => rule.label).join(', ');
    throw new AppError(
      'weak_password',
      `New password doesn't match the required criterias. Missing: ${missing}.`,
    );
  }
  const why = guessableReason(password, owner);
  if (why !== null)
    throw new AppError(
      'guessable_password',
      `${why} Choose another one, such as several words that do not belong together.`,
    );
}

/** Returns in a sentence why the password is easy to guess; null when it is not. */
export function guessableReason(password: string, { name, email }: PasswordOwner): string | null {
  const plain = fold(password);
  const own = [name, email, email.split('@')[0] ?? '']
    .map((text) => fold(text).trim())
    .filter((text) => text.length >= 4);
  if (own.some((text) => plain.includes(text) || unaccented(plain).includes(unaccented(text))))
    return 'The password contains the name or the email address of its owner.';
  return spellingVariants(plain).some((variant) => commonPasswords().has(variant))
    ? 'The password is one of the most common ones, or a variation with added characters.'
    : null;
}

/** Undoes common substitutions: 'p@ssw0rd1!' is 'password' with added signs and replaced letters. */
function spellingVariants(plain: string): readonly string[] {
  const core = (text: string) => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const spelled = Array.from(plain, (letter) => replacements[letter] ?? letter).join('');
  const withoutSigns = plain.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const cores = [
    core(plain),
    core(spelled),
    core(Array.from(core(plain), (letter) => replacements[letter] ?? letter).join('')),
  ];
  return [plain, spelled, withoutSigns, ...cores.filter((text) => text.length >= 4)];
}

const replacements: Readonly<Partial<Record<string, string>>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

const unaccented = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

let passwords: ReadonlySet<string> | undefined;

/** Returns the 49,000 most common passwords in lower case. Loaded at the first choice of a password to save memory. */
function commonPasswords(): ReadonlySet<string> {
  if (passwords !== undefined) return passwords;
  const require = createRequire(import.meta.url);
  const { dictionary } = require('@zxcvbn-ts/language-common') as typeof LanguageCommon;
  passwords = new Set(dictionary['passwords-common'] as readonly string[]);
  return passwords;
}
