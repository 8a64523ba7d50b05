import { ResponseBodyError } from 'openid-client';
import { expect, test } from 'vitest';
import { providerFailure } from './provider-failure.ts';

const secret = 'Zq7v+K2mX/w9Lr-T4';

const refusal = (description: string) =>
  new ResponseBodyError('refused', {
    cause: { error: 'invalid_client', error_description: description },
    response: new Response(null, { status: 401 }),
  });

test.each([
  ['plain', secret],
  ['in an address', encodeURIComponent(secret)],
  ['as Basic sends it', Buffer.from(`patch:${secret}`).toString('base64')],
])('hides what a provider says when it repeats the client secret %s', (_, repeated) => {
  const failures = [refusal(`Unknown client: ${repeated}`), new Error(`Invalid ${repeated}`)];
  expect(failures.map((error) => providerFailure(error, secret).words)).toEqual([
    'Its message repeats the client secret and is not shown.',
    'Its message repeats the client secret and is not shown.',
  ]);
});

test('shows what a provider says otherwise', () => {
  expect(providerFailure(refusal('The client is not allowed here'), secret).words).toBe(
    'It says: invalid_client, The client is not allowed here.',
  );
});
