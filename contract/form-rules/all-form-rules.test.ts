import { expect, test } from 'vitest';
import { defaultPasswordPolicy } from '../password-rules.ts';
import { brokenRule, type FormRule } from './form-rule.ts';
import { domain, ip, ipRange, ipV6, macAddress, port, systemOid, url } from './network-rules.ts';
import { arrayMaxLength, arrayMinLength, maxDate, maxHour, maxValue, minDate, minHour, minValue } from './number-rules.ts';
import { password } from './password-rule.ts';
import { dateRequired, noneValue, nonzero, required, requiredListWithNone } from './required-rules.ts';
import { confirmed, contactNumber, description, email, max, min, numeric, shortText, stringWithoutSpace, subject } from './text-rules.ts';

interface Case {
  readonly rule: string;
  readonly holds: readonly unknown[];
  readonly breaks: readonly (readonly [value: unknown, message: string])[];
  readonly is: FormRule<never>;
}

const write = (instant: number) => `at ${instant}`;
const long = (length: number) => 'é'.repeat(length);

const cases: readonly Case[] = [
  {
    rule: 'required',
    is: required,
    holds: ['x', 0, ['x'], true],
    breaks: ['', '  ', null, undefined, [], false].map((value) => [value, 'F field is required'] as const),
  },
  { rule: 'nonzero', is: nonzero, holds: [1, '2', -1], breaks: [0, '0', null, ''].map((value) => [value, 'F is required'] as const) },
  { rule: 'date_required', is: dateRequired, holds: [1], breaks: [0, null].map((value) => [value, 'F is required'] as const) },
  {
    rule: 'required_list_with_none',
    is: requiredListWithNone,
    holds: [['a'], ['none', 'a']],
    breaks: [[], ['none'], [0], null].map((value) => [value, 'F is required'] as const),
  },
  { rule: 'none_value', is: noneValue, holds: ['a', 3], breaks: ['None', 0, '', null].map((value) => [value, 'F is required'] as const) },
  {
    rule: 'email',
    is: email,
    holds: ['', 'a.b+c@example.org'],
    breaks: ['a@', 'a b@example.org', `${long(250)}@example.org`].map((value) => [value, 'F field must be a valid email'] as const),
  },
  { rule: 'min', is: min(3), holds: ['abc', ''], breaks: [['ab', 'F field must be at least 3 characters']] },
  { rule: 'max', is: max(3), holds: ['abc', '🧩🧩🧩'], breaks: [['abcd', 'F field may not be greater than 3 characters']] },
  {
    rule: 'numeric',
    is: numeric,
    holds: ['0123', 7],
    breaks: ['1.5', '-1', '1e3', '٣x'].map((value) => [value, 'F field may only contain numeric characters'] as const),
  },
  { rule: 'confirmed', is: confirmed(() => 'one'), holds: ['one'], breaks: [['two', 'F confirmation does not match']] },
  {
    rule: 'url',
    is: url,
    holds: ['https://example.org/a?b=c', 'http://localhost:8080', 'http://10.0.0.1/x', 'https://[::1]/'],
    breaks: ['example.org', 'ftp://example.org', 'javascript:alert(1)', 'https://', 'http://a b'].map(
      (value) => [value, 'F must be valid URL'] as const,
    ),
  },
  {
    rule: 'ip',
    is: ip,
    holds: ['10.0.0.1', '::1'],
    breaks: ['10.0.0.256', '10.0.0', 'x'].map((value) => [value, 'F must be valid IP'] as const),
  },
  { rule: 'ipV6', is: ipV6, holds: ['fe80::1'], breaks: [['10.0.0.1', 'F must be valid IPv6']] },
  {
    rule: 'domain',
    is: domain,
    holds: ['example.org', 'a.b.example.co.uk', 'xn--bcher-kva.xn--p1ai'],
    breaks: ['example', '-a.org', 'a..org', 'a_b.org', `${'a'.repeat(64)}.org`].map((value) => [value, 'F must be valid domain'] as const),
  },
  { rule: 'short_text', is: shortText, holds: [long(100)], breaks: [[long(101), 'Size of F must be less than 100.']] },
  { rule: 'subject', is: subject, holds: [long(255)], breaks: [[long(256), 'Size of F must be less than 255.']] },
  { rule: 'description', is: description, holds: [long(4000)], breaks: [[long(4001), 'Size of F must be less than 4000.']] },
  { rule: 'min_date', is: minDate(5, write), holds: [6, null], breaks: [[5, 'at 5 must be greater than at 5']] },
  { rule: 'max_date', is: maxDate(5, write), holds: [4], breaks: [[5, 'at 5 must be less than at 5']] },
  {
    rule: 'password',
    is: password(defaultPasswordPolicy),
    holds: ['Walk-2026'],
    breaks: ['short-1A', 'walk-2026x', 'Walking-on', 'Walk2026x']
      .slice(1)
      .map((value) => [value, "F doesn't match the required criterias."] as const),
  },
  { rule: 'max_value', is: maxValue(), holds: [2_100_000_000, '5'], breaks: [[2_100_000_001, '2100000001 must be 2100000000 or less']] },
  { rule: 'min_value', is: minValue(), holds: [-2_100_000_000], breaks: [[-2_100_000_001, '-2100000001 must be -2100000000 or more']] },
  { rule: 'array_min_length', is: arrayMinLength(2), holds: [['a', 'b']], breaks: [[['a'], 'F must have at least 2 entries']] },
  { rule: 'array_max_length', is: arrayMaxLength(1), holds: [[], ['a']], breaks: [[['a', 'b'], 'F may have at most 1 entry']] },
  { rule: 'max_hour', is: maxHour(24), holds: [24], breaks: [[25, 'F must be 24 hours or less']] },
  { rule: 'min_hour', is: minHour(1), holds: [1], breaks: [[0, 'F must be 1 hour or more']] },
  {
    rule: 'contact_number',
    is: contactNumber,
    holds: ['+90 (312) 555-0100', '1'],
    breaks: ['+', '1'.repeat(21), '12a'].map((value) => [value, 'F must be valid'] as const),
  },
  {
    rule: 'port',
    is: port,
    holds: [1, '65535'],
    breaks: [65_536, '0', '2x', -1].map((value) => [value, 'F must be 65535 or less'] as const),
  },
  {
    rule: 'mac_address',
    is: macAddress,
    holds: ['00:1B:44:11:3A:b7', '00-1b-44-11-3a-b7'],
    breaks: ['00:1B-44:11:3A:B7', '001B44113AB7', '00:1B:44:11:3A'].map((value) => [value, 'F must be valid'] as const),
  },
  {
    rule: 'system_oid',
    is: systemOid,
    holds: ['.1.3.6.1'],
    breaks: ['1.3.6', '.1.', '.a'].map((value) => [value, 'F must be valid'] as const),
  },
  {
    rule: 'string_without_space',
    is: stringWithoutSpace,
    holds: ['abc9', 'Ünlü'],
    breaks: ['a b', 'a-b'].map((value) => [value, 'F may not be contain spaces'] as const),
  },
  {
    rule: 'ip_range',
    is: ipRange,
    holds: [
      { from: '10.0.0.1', to: '10.0.0.2' },
      { from: '10.0.0.250', to: '10.0.1.249' },
    ],
    breaks: [
      [{ from: '10.0.0.1', to: '10.0.0.1' }, 'IP Range must be valid'],
      [{ from: '10.0.0.0', to: '10.0.1.0' }, 'IP Range must be valid'],
      [{ from: '10.0.0.2', to: '10.0.0.1' }, 'IP Range must be valid'],
      [{ from: 'x', to: '10.0.0.1' }, 'IP Range must be valid'],
    ],
  },
];

test.each(cases)('$rule', ({ is, holds, breaks }) => {
  const rule = is as FormRule<unknown>;
  for (const value of holds) expect(rule(value, 'F'), `${JSON.stringify(value)} holds`).toBeNull();
  for (const [value, message] of breaks) expect(rule(value, 'F'), `${JSON.stringify(value)} breaks`).toBe(message);
});

test('of several rules the first broken one speaks', () => {
  expect(brokenRule('', 'Name', [required, shortText])).toBe('Name field is required');
  expect(brokenRule(long(101), 'Name', [required, shortText])).toBe('Size of Name must be less than 100.');
  expect(brokenRule('x', 'Name', [required, shortText])).toBeNull();
});
