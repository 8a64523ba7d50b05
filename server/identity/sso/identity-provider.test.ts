import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Begun, begin, discover, finish } from './identity-provider.ts';
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

/** There and back, with what was begun changed before it is finished. */
async function signIn(change: Partial<Begun> = {}) {
  const found = await discover({ issuer: provider.issuer, clientId: 'patch', clientSecret });
  const { begun, address } = await begin(found, {
    scopes: 'openid  email',
    redirectUri,
    fresh: false,
  });
  const returned = await provider.signIn(address);
  return finish(found, returned, { ...begun, ...change });
}

test('answers what the provider says of the person, from the ID token and beyond', async () => {
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
])('is not finished with %j', async (change, reason) => {
  await expect(signIn(change)).rejects.toSatisfy((error: Error & { error?: string }) =>
    `${error.message} ${error.error ?? ''}`.includes(reason),
  );
});

test('an address that is not said to be verified is not, whatever the ID token says of another', async () => {
  provider.person = { sub: 'jane-1', email: 'boss@example.org' };
  provider.inIdToken = { email: 'jane@example.org', email_verified: true };
  const claims = await signIn();
  expect([claims['email'], claims['email_verified']]).toEqual(['boss@example.org', undefined]);
  provider.inIdToken = { email: 'boss@example.org', email_verified: true };
  expect((await signIn())['email_verified']).toBe(true);
  provider.inIdToken = {};
});
