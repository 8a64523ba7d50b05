import { expect, test } from 'vitest';
import { canActivate } from './client-authenticator.ts';

test.each([
  { hasToken: false, reactivationUntil: null, allowed: true },
  { hasToken: true, reactivationUntil: null, allowed: false },
  { hasToken: true, reactivationUntil: 1_001, allowed: true },
  { hasToken: true, reactivationUntil: 1_000, allowed: false },
])(
  'returns $allowed when hasToken is $hasToken and re-activation is allowed until $reactivationUntil',
  (each) => {
    expect(canActivate(each, 1_000)).toBe(each.allowed);
  },
);
