import { describe, expect, test } from 'vitest';
import { renewal, restoration, revocation } from './licence-changes.ts';

const client = {
  clientName: 'North Hospital',
  licenseType: 'subscription',
  revokedOn: null,
} as const;
const withCode = (code: string) => expect.objectContaining({ code });

describe('a renewal', () => {
  test('sets an end after now', () => {
    expect(renewal(client, 1_001, 1_000)).toEqual({ licenseExpiry: 1_001 });
  });

  test('refuses an end at or before now', () => {
    expect(() => renewal(client, 1_000, 1_000)).toThrow(withCode('expiry_passed'));
  });

  test('refuses a perpetual licence', () => {
    const perpetual = { ...client, licenseType: 'perpetual' } as const;
    expect(() => renewal(perpetual, 1_001, 1_000)).toThrow(withCode('perpetual_licence'));
  });
});

test('a revocation names who revoked and when, and is refused the second time', () => {
  const revoked = revocation(client, 'operator', 1_000);
  expect(revoked).toEqual({ revokedOn: 1_000, revokedBy: 'operator' });
  expect(() => revocation({ ...client, ...revoked }, 'operator', 2_000)).toThrow(
    withCode('revoked_already'),
  );
});

test('a restoration clears the revocation, and is refused for a client that is not revoked', () => {
  expect(restoration({ ...client, revokedOn: 1_000 })).toEqual({ revokedOn: null, revokedBy: '' });
  expect(() => restoration(client)).toThrow(withCode('not_revoked'));
});
