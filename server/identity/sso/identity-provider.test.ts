import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { begin, discover, finish, type PendingSignIn } from './identity-provider.ts';
import { providerFailure } from './provider-failure.ts';
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

test('reads no more than 1 MB of a response', async () => {
  let sent = 0;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    const send = () => {
      while (!response.destroyed && sent < 20_000_000) {
        sent += 65_536;
        if (!response.write(' '.repeat(65_536))) return response.once('drain', send);
      }
      return response.end('{}');
    };
    send();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const failure = await discover({ issuer, clientId: 'patch', clientSecret }).then(
    () => null,
    (error: unknown) => providerFailure(error, clientSecret),
  );
  server.closeAllConnections();
  server.close();
  expect(failure).toEqual({ away: false, words: 'Its response is larger than 1 MB.' });
  expect(sent).toBeLessThan(15_000_000);
});
