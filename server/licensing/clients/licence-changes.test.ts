import { expect, test } from 'vitest';
import { renewal, restoration, revocation } from './client-records.ts';

const client = {
  clientName: 'North Hospital',
  licenseType: 'subscription',
  revokedOn: null,
} as const;
const withCode = (code: string) => expect.objectContaining({ code });

test('renews until a future date, and refuses a past one and a perpetual licence', () => {
  expect(renewal(client, 1_001, 1_000)).toEqual({ licenseExpiry: 1_001 });
  expect(() => renewal(client, 1_000, 1_000)).toThrow(withCode('expiry_passed'));
  const perpetual = { ...client, licenseType: 'perpetual' } as const;
  expect(() => renewal(perpetual, 1_001, 1_000)).toThrow(withCode('perpetual_licence'));
});

test('revokes with name and time, and refuses a second revocation', () => {
  const revoked = revocation(client, 'operator', 1_000);
  expect(revoked).toEqual({ revokedOn: 1_000, revokedBy: 'operator' });
  expect(() => revocation({ ...client, ...revoked }, 'operator', 2_000)).toThrow(
    withCode('revoked_already'),
  );
});

test('restores a revoked client, and refuses one that is not revoked', () => {
  expect(restoration({ ...client, revokedOn: 1_000 })).toEqual({ revokedOn: null, revokedBy: '' });
  expect(() => restoration(client)).toThrow(withCode('not_revoked'));
});
