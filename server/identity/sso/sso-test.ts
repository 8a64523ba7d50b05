/**
 * Tests a configuration as far as possible without a person: the provider's metadata, its keys, and whether it accepts the
 * client.
 */
import {
  type SsoStage,
  type SsoStageResult,
  type SsoTest,
  ssoStages,
} from '@patch/contract/sso-endpoints.ts';
import type { Configuration } from 'openid-client';
import { type Client, discover, proveClient } from './identity-provider.ts';
import { providerFailure } from './provider-failure.ts';

interface TestedAccount extends Client {
  readonly scopes: string;
}

class StageFailed extends Error {
  readonly advice: string;
  constructor(words: string, advice: string) {
    super(words);
    this.advice = advice;
  }
}

const keysTimeoutMs = 10_000;

export async function testSso(account: TestedAccount, redirectUri: string): Promise<SsoTest> {
  const stages: SsoStageResult[] = [];
  async function stage<Found>(
    name: SsoStage,
    work: () => Promise<{ words: string; found: Found }>,
  ): Promise<Found | undefined> {
    if (stages.some(({ outcome }) => outcome === 'failed')) return undefined;
    try {
      const { words, found } = await work();
      stages.push({ stage: name, outcome: 'passed', words, advice: '' });
      return found;
    } catch (error) {
      if (!(error instanceof StageFailed)) throw error;
      stages.push({ stage: name, outcome: 'failed', words: error.message, advice: error.advice });
      return undefined;
    }
  }

  const provider = await stage('discovery', () => readDiscovery(account));
  if (provider !== undefined) {
    await stage('abilities', () => checkAbilities(provider, account.scopes));
    await stage('keys', () => readKeys(provider, account));
    await stage('client', () => checkClient(provider, account, redirectUri));
  }
  for (const name of ssoStages.slice(stages.length))
    stages.push({ stage: name, outcome: 'skipped', words: 'Not tried.', advice: '' });
  return { success: stages.every(({ outcome }) => outcome === 'passed'), stages };
}

async function readDiscovery(
  account: TestedAccount,
): Promise<{ words: string; found: Configuration }> {
  try {
    const found = await discover(account);
    return { words: `${found.serverMetadata().issuer} publishes its metadata.`, found };
  } catch (error) {
    const { away, words } = providerFailure(error, account.clientSecret);
    throw new StageFailed(
      words,
      away
        ? 'Check the issuer’s address, and that this server may reach it.'
        : `${account.issuer.replace(/\/$/, '')}/.well-known/openid-configuration must be readable, and name the issuer exactly as it is entered here.`,
    );
  }
}

async function checkAbilities(
  provider: Configuration,
  scopes: string,
): Promise<{ words: string; found: true }> {
  const metadata = provider.serverMetadata();
  const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter(
    (name) => metadata[name] === undefined,
  );
  if (missing.length > 0)
    throw new StageFailed(
      `Its metadata lacks ${missing.join(', ')}.`,
      'It must offer OpenID Connect, not OAuth alone.',
    );
  if (metadata.response_types_supported?.includes('code') === false)
    throw new StageFailed(
      'It does not offer the authorization code flow.',
      'Allow the response type code at the identity provider.',
    );
  const unknown = scopes
    .split(/\s+/)
    .filter((scope) => metadata.scopes_supported?.includes(scope) === false);
  if (unknown.length > 0)
    throw new StageFailed(
      `It does not know the scope ${unknown.join(', ')}.`,
      `Choose from its scopes: ${metadata.scopes_supported?.join(' ')}`,
    );
  const pkce = metadata.supportsPKCE()
    ? 'with PKCE'
    : 'without announcing PKCE, which is used nevertheless';
  return { words: `It offers the authorization code flow ${pkce}.`, found: true };
}

async function readKeys(
  provider: Configuration,
  { clientSecret }: TestedAccount,
): Promise<{ words: string; found: true }> {
  const address = provider.serverMetadata().jwks_uri ?? '';
  const advice = `Its keys must be readable at ${address}.`;
  const read = await fetch(address, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(keysTimeoutMs),
  })
    .then(async (response) =>
      response.ok ? ((await response.json()) as { keys?: unknown }) : response.status,
    )
    .catch((error: unknown) => {
      throw new StageFailed(providerFailure(error, clientSecret).words, advice);
    });
  if (typeof read === 'number') throw new StageFailed(`It responds with status ${read}.`, advice);
  const count = Array.isArray(read?.keys) ? read.keys.length : 0;
  if (count === 0) throw new StageFailed('There are no keys.', advice);
  return {
    words: `${count} ${count === 1 ? 'key' : 'keys'} to verify its signatures with.`,
    found: true,
  };
}

async function checkClient(
  provider: Configuration,
  { clientId, clientSecret }: TestedAccount,
  redirectUri: string,
): Promise<{ words: string; found: true }> {
  const proof = await proveClient(provider, redirectUri).catch((error: unknown) => {
    throw new StageFailed(
      providerFailure(error, clientSecret).words,
      'Its token endpoint must be reachable from this server.',
    );
  });
  if (proof === 'refused')
    throw new StageFailed(
      `It does not recognise ${clientId} as its client.`,
      `Check client id and client secret, and that ${redirectUri} is registered there as the address to return to.`,
    );
  return {
    words:
      proof === 'known'
        ? `It knows the client ${clientId}.`
        : 'The first sign-in will show whether it accepts the client.',
    found: true,
  };
}
