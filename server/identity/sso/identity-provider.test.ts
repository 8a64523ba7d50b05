import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin, discover, finish, type PendingSignIn } from './identity-provider.ts';
import {
  clientSecret,
  type ProviderForTests,
  redirectUri,
  startProvider,
} from './testing/identity-provider-for-tests.ts';

let provider: ProviderForTests;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

/** Signs in with `change` applied to the pending data before it is finished. */
async function signIn(change: Partial<PendingSignIn> = {}) {
  const found = await discover({ issuer: provider.issuer, clientId: 'patch', clientSecret });
  const { begun, address } = await begin(found, {
    scopes: 'openid  email',
    redirectUri,
    fresh: false,
  });
  const returned = await provider.signIn(address);
  return finish(found, returned, { ...begun, ...change });
}

test('returns the claims of the ID token and of the user info', async () => {
  provider.person = {
    sub: 'jane-1',
    email: 'jane@example.org',
    email_verified: true,
    name: 'not asked for',
  };
  const claims = await signIn();
  expect(claims).toMatchObject({
    issuer: provider.issuer,
    subject: 'jane-1',
    email: 'jane@example.org',
    email_verified: true,
  });
  expect(claims['name']).toBeUndefined();
});

test.each([
  [{ nonce: 'another' }, 'unexpected JWT claim value'],
  [{ state: 'another' }, 'invalid response'],
  [{ verifier: 'a'.repeat(43) }, 'invalid_grant'],
])('rejects a sign-in with %j', async (change, reason) => {
  await expect(signIn(change)).rejects.toSatisfy((error: Error & { error?: string }) =>
    `${error.message} ${error.error ?? ''}`.includes(reason),
  );
});

test('does not take an address as verified when the ID token verifies another one', async () => {
  provider.person = { sub: 'jane-1', email: 'boss@example.org' };
  provider.inIdToken = { email: 'jane@example.org', email_verified: true };
  const claims = await signIn();
  expect([claims['email'], claims['email_verified']]).toEqual(['boss@example.org', undefined]);
  provider.inIdToken = { email: 'boss@example.org', email_verified: true };
  expect((await signIn())['email_verified']).toBe(true);
  provider.inIdToken = {};
});
