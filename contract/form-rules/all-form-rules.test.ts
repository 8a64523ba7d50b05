import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, test } from 'vitest';
import { brokenRule, type FormRule } from './form-rule.ts';
import { domain, ip, ipRange, ipV6, macAddress, port, systemOid, url } from './network-rules.ts';
import {
  arrayMaxLength,
  arrayMinLength,
  maxDate,
  maxHour,
  maxValue,
  minDate,
  minHour,
  minValue,
} from './number-rules.ts';
import { password } from './password-rule.ts';
import {
  dateRequired,
  noneValue,
  nonzero,
  required,
  requiredListWithNone,
} from './required-rules.ts';
import {
  confirmed,
  contactNumber,
  description,
  email,
  max,
  min,
  numeric,
  shortText,
  stringWithoutSpace,
  subject,
} from './text-rules.ts';

interface Case {
  readonly rule: string;
  readonly holds: readonly unknown[];
  readonly breaks: readonly (readonly [value: unknown, message: string])[];
  readonly is: FormRule<never>;
}

const { rules, messages } = specified;
const { maxValue: most, minValue: least } = rules;
const policy = {
  minLength: 8,
  enableSpecialChar: true,
  enableAlphabetAndNumber: true,
  enableMixCase: true,
};
const write = (instant: number) => `at ${instant}`;
const long = (length: number) => 'é'.repeat(length);

/** Each value breaks the rule with that message. */
const allBreak = (message: string, values: readonly unknown[]) =>
  values.map((value) => [value, message] as const);

const cases: readonly Case[] = [
  {
    rule: 'required',
    is: required,
    holds: ['x', 0, ['x'], true],
    breaks: ['', '  ', null, undefined, [], false].map(
      (value) => [value, 'F field is required'] as const,
    ),
  },
  {
    rule: 'nonzero',
    is: nonzero,
    holds: [1, '2', -1],
    breaks: allBreak(messages.isRequired('F'), [0, '0', null, '']),
  },
  {
    rule: 'date_required',
    is: dateRequired,
    holds: [1],
    breaks: allBreak(messages.isRequired('F'), [0, null]),
  },
  {
    rule: 'required_list_with_none',
    is: requiredListWithNone,
    holds: [['a'], ['none', 'a']],
    breaks: [[], ['none'], [0], null].map((value) => [value, messages.isRequired('F')] as const),
  },
  {
    rule: 'none_value',
    is: noneValue,
    holds: ['a', 3],
    breaks: allBreak(messages.isRequired('F'), ['None', 0, '', null]),
  },
  {
    rule: 'email',
    is: email,
    holds: ['', 'a.b+c@example.org'],
    breaks: allBreak('F field must be a valid email', [
      'a@',
      'a b@example.org',
      `${long(250)}@example.org`,
    ]),
  },
  {
    rule: 'min',
    is: min(3),
    holds: ['abc', ''],
    breaks: [['ab', 'F field must be at least 3 characters']],
  },
  {
    rule: 'max',
    is: max(3),
    holds: ['abc', '🧩🧩🧩'],
    breaks: [['abcd', 'F field may not be greater than 3 characters']],
  },
  {
    rule: 'numeric',
    is: numeric,
    holds: ['0123', 7],
    breaks: allBreak('F field may only contain numeric characters', ['1.5', '-1', '1e3', '٣x']),
  },
  {
    rule: 'confirmed',
    is: confirmed(() => 'one'),
    holds: ['one'],
    breaks: [['two', 'F confirmation does not match']],
  },
  {
    rule: 'url',
    is: url,
    holds: [
      'https://example.org/a?b=c',
      'http://localhost:8080',
      'http://10.0.0.1/x',
      'https://[::1]/',
    ],
    breaks: allBreak(messages.url('F'), [
      'example.org',
      'ftp://example.org',
      'javascript:alert(1)',
      'https://',
      'http://a b',
    ]),
  },
  {
    rule: 'ip',
    is: ip,
    holds: ['10.0.0.1', '::1'],
    breaks: allBreak(messages.ip('F'), ['10.0.0.256', '10.0.0', 'x']),
  },
  { rule: 'ipV6', is: ipV6, holds: ['fe80::1'], breaks: [['10.0.0.1', 'F must be valid IPv6']] },
  {
    rule: 'domain',
    is: domain,
    holds: ['example.org', 'a.b.example.co.uk', 'xn--bcher-kva.xn--p1ai'],
    breaks: allBreak(messages.domain('F'), [
      'example',
      '-a.org',
      'a..org',
      'a_b.org',
      `${'a'.repeat(64)}.org`,
    ]),
  },
  {
    rule: 'short_text',
    is: shortText,
    holds: [long(rules.shortText)],
    breaks: [[long(rules.shortText + 1), messages.size('F', rules.shortText)]],
  },
  {
    rule: 'subject',
    is: subject,
    holds: [long(rules.subject)],
    breaks: [[long(rules.subject + 1), messages.size('F', rules.subject)]],
  },
  {
    rule: 'description',
    is: description,
    holds: [long(rules.description)],
    breaks: [[long(rules.description + 1), messages.size('F', rules.description)]],
  },
  {
    rule: 'min_date',
    is: minDate(5, write),
    holds: [6, null],
    breaks: [[5, 'at 5 must be greater than at 5']],
  },
  {
    rule: 'max_date',
    is: maxDate(5, write),
    holds: [4],
    breaks: [[5, 'at 5 must be less than at 5']],
  },
  {
    rule: 'password',
    is: password(policy),
    holds: Array.from(rules.specialCharacters, (character) => `Walk2026${character}`),
    breaks: allBreak(messages.password('F'), [
      'Wa-2026',
      'walk-2026x',
      'Walking-on',
      'Walk2026x',
      'Walk+2026',
      'Walk 2026',
    ]),
  },
  {
    rule: 'max_value',
    is: maxValue(),
    holds: [most, '5'],
    breaks: [[most + 1, messages.orLess(most + 1, most)]],
  },
  {
    rule: 'min_value',
    is: minValue(),
    holds: [least],
    breaks: [[least - 1, messages.orMore(least - 1, least)]],
  },
  {
    rule: 'array_min_length',
    is: arrayMinLength(2),
    holds: [['a', 'b']],
    breaks: [[['a'], 'F must have at least 2 entries']],
  },
  {
    rule: 'array_max_length',
    is: arrayMaxLength(1),
    holds: [[], ['a']],
    breaks: [[['a', 'b'], 'F may have at most 1 entry']],
  },
  { rule: 'max_hour', is: maxHour(24), holds: [24], breaks: [[25, 'F must be 24 hours or less']] },
  { rule: 'min_hour', is: minHour(1), holds: [1], breaks: [[0, 'F must be 1 hour or more']] },
  {
    rule: 'contact_number',
    is: contactNumber,
    holds: ['+90 (312) 555-0100', '1', '1'.repeat(rules.contactDigits)],
    breaks: allBreak('F must be valid', ['+', '1'.repeat(rules.contactDigits + 1), '12a']),
  },
  {
    rule: 'port',
    is: port,
    holds: [1, `${rules.port}`],
    breaks: allBreak(`F must be ${rules.port} or less`, [rules.port + 1, '0', '2x', -1]),
  },
  {
    rule: 'mac_address',
    is: macAddress,
    holds: ['00:1B:44:11:3A:b7', '00-1b-44-11-3a-b7'],
    breaks: allBreak('F must be valid', ['00:1B-44:11:3A:B7', '001B44113AB7', '00:1B:44:11:3A']),
  },
  {
    rule: 'system_oid',
    is: systemOid,
    holds: ['.1.3.6.1'],
    breaks: allBreak('F must be valid', ['1.3.6', '.1.', '.a']),
  },
  {
    rule: 'string_without_space',
    is: stringWithoutSpace,
    holds: ['abc9', 'Ünlü'],
    breaks: allBreak(`F ${messages.noSpaces}`, ['a b', 'a-b']),
  },
  {
    rule: 'ip_range',
    is: ipRange,
    holds: [
      { from: '10.0.0.1', to: '10.0.0.2' },
      { from: '10.0.0.250', to: '10.0.1.249' },
    ],
    breaks: [
      [{ from: '10.0.0.1', to: '10.0.0.1' }, messages.ipRange],
      [{ from: '10.0.0.0', to: '10.0.1.0' }, messages.ipRange],
      [{ from: '10.0.0.2', to: '10.0.0.1' }, messages.ipRange],
      [{ from: 'x', to: '10.0.0.1' }, messages.ipRange],
    ],
  },
];

test.each(cases)('$rule', ({ is, holds, breaks }) => {
  const rule = is as FormRule<unknown>;
  for (const value of holds) expect(rule(value, 'F'), `${JSON.stringify(value)} holds`).toBeNull();
  for (const [value, message] of breaks)
    expect(rule(value, 'F'), `${JSON.stringify(value)} breaks`).toBe(message);
});

test('reports the first broken rule of several', () => {
  expect(brokenRule('', 'Name', [required, shortText])).toBe('Name field is required');
  expect(brokenRule(long(rules.shortText + 1), 'Name', [required, shortText])).toBe(
    messages.size('Name', rules.shortText),
  );
  expect(brokenRule('x', 'Name', [required, shortText])).toBeNull();
});
