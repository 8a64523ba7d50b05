/**
 * Tests a configuration as far as possible without a person: the provider's metadata, its keys, and whether it accepts the
 * client.
 */
import { type SsoStage, type SsoTest, ssoStages } from '@patch/contract/accounts/sso-endpoints.ts';
import type { Configuration } from 'openid-client';
import { StageError, testStages } from '../../platform/network/staged-test.ts';
import type { UnreadableSecret } from '../../platform/secrets/secret-box.ts';
import { type Client, discover, proveClient, requestProvider } from './identity-provider.ts';
import { providerFailure } from './provider-failure.ts';

export interface TestedAccount extends Client {
  readonly scopes: string;
  /** Present when the stored client secret cannot be read. */
  readonly unreadable?: UnreadableSecret;
}

const fail = (stage: SsoStage, words: string, advice: string) =>
  new StageError(stage, words, advice);

export async function testSso(account: TestedAccount, redirectUri: string): Promise<SsoTest> {
  const stages = await testStages(ssoStages, async (note) => {
    const provider = await readDiscovery(account);
    note('discovery', `${provider.serverMetadata().issuer} publishes its metadata.`);
    note('abilities', checkAbilities(provider, account.scopes));
    note('keys', await readKeys(provider, account));
    note('client', await checkClient(provider, account, redirectUri));
  });
  return { success: stages.every(({ outcome }) => outcome === 'passed'), stages };
}

async function readDiscovery(account: TestedAccount): Promise<Configuration> {
  try {
    return await discover(account);
  } catch (error) {
    const { away, words } = providerFailure(error, account.clientSecret);
    throw fail(
      'discovery',
      words,
      away
        ? 'Check the issuer’s address, and that this server may reach it.'
        : `${account.issuer.replace(/\/$/, '')}/.well-known/openid-configuration must be readable, and name the issuer exactly as it is entered here.`,
    );
  }
}

function checkAbilities(provider: Configuration, scopes: string): string {
  const metadata = provider.serverMetadata();
  const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter(
    (name) => metadata[name] === undefined,
  );
  if (missing.length > 0)
    throw fail(
      'abilities',
      `Its metadata lacks ${missing.join(', ')}.`,
      'It must offer OpenID Connect, not OAuth alone.',
    );
  if (metadata.response_types_supported?.includes('code') === false)
    throw fail(
      'abilities',
      'It does not offer the authorization code flow.',
      'Allow the response type code at the identity provider.',
    );
  const unknown = scopes
    .split(/\s+/)
    .filter((scope) => metadata.scopes_supported?.includes(scope) === false);
  if (unknown.length > 0)
    throw fail(
      'abilities',
      `It does not know the scope ${unknown.join(', ')}.`,
      `Choose from its scopes: ${metadata.scopes_supported?.join(' ')}`,
    );
  const pkce = metadata.supportsPKCE()
    ? 'with PKCE'
    : 'without announcing PKCE, which is used nevertheless';
  return `It offers the authorization code flow ${pkce}.`;
}

async function readKeys(provider: Configuration, { clientSecret }: TestedAccount): Promise<string> {
  const address = provider.serverMetadata().jwks_uri ?? '';
  const advice = `Its keys must be readable at ${address}.`;
  const read = await requestProvider(address, { headers: { accept: 'application/json' } })
    .then(async (response) =>
      response.ok ? ((await response.json()) as { keys?: unknown }) : response.status,
    )
    .catch((error: unknown) => {
      throw fail('keys', providerFailure(error, clientSecret).words, advice);
    });
  if (typeof read === 'number') throw fail('keys', `It responds with status ${read}.`, advice);
  const count = Array.isArray(read?.keys) ? read.keys.length : 0;
  if (count === 0) throw fail('keys', 'There are no keys.', advice);
  return `${count} ${count === 1 ? 'key' : 'keys'} to verify its signatures with.`;
}

async function checkClient(
  provider: Configuration,
  { clientId, clientSecret, unreadable }: TestedAccount,
  redirectUri: string,
): Promise<string> {
  if (unreadable !== undefined) throw fail('client', unreadable.words, unreadable.advice);
  const proof = await proveClient(provider, redirectUri).catch((error: unknown) => {
    throw fail(
      'client',
      providerFailure(error, clientSecret).words,
      'Its token endpoint must be reachable from this server.',
    );
  });
  if (proof === 'refused')
    throw fail(
      'client',
      `It does not recognise ${clientId} as its client.`,
      `Check client id and client secret, and that ${redirectUri} is registered there as the address to return to.`,
    );
  return proof === 'known'
    ? `It knows the client ${clientId}.`
    : 'The first sign-in will show whether it accepts the client.';
}
