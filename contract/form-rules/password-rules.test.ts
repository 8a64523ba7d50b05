import { expect, test } from 'vitest';
import { brokenPasswordRules, defaultPasswordPolicy, passwordRules } from './password-rules.ts';

const broken = (password: string) =>
  brokenPasswordRules(defaultPasswordPolicy, password).map((rule) => rule.key);

test.each([
  ['', ['min_length', 'special_char', 'alphabet_and_number', 'mix_case']],
  ['Sh0rt-1', ['min_length']],
  ['Lower-case1', []],
  ['NoSpecial12', ['special_char']],
  ['No-Digits-Here', ['alphabet_and_number']],
  ['no-capitals-1', ['mix_case']],
  ['NO-SMALLS-1', ['mix_case']],
  ['+Plus+Isn0t=', ['special_char']],
  ['Größe-ÄÖ1', []],
])('report for %j the broken rules %j', (password, keys) => {
  expect(broken(password)).toEqual(keys);
});

test('count an astral character once', () => {
  expect(broken('Aa1-😀😀😀')).toEqual(['min_length']);
  expect(broken('Aa1-😀😀😀😀')).toEqual([]);
});

test('contain one rule for a policy of length only', () => {
  const policy = {
    minLength: 12,
    enableSpecialChar: false,
    enableAlphabetAndNumber: false,
    enableMixCase: false,
  };
  expect(passwordRules(policy).map((rule) => rule.label)).toEqual(['At least 12 characters']);
  expect(brokenPasswordRules(policy, 'aaaaaaaaaaaa')).toEqual([]);
});
