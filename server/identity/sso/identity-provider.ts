/** Talks to an identity provider: OpenID Connect's authorization code flow with PKCE, state and nonce. */
import * as oidc from 'openid-client';
import type { SsoAccount } from './sso-config-store.ts';

/** What is kept of a sign-in from its start to its return. */
export interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What the identity provider says of a person, verified. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  /** When the person signed in there, epoch milliseconds; null: it does not say. */
  readonly signedInAt: number | null;
  readonly [claim: string]: unknown;
}

export type Client = Pick<SsoAccount, 'issuer' | 'clientId' | 'clientSecret'>;

const secondsToAnswer = 10;

/** Reads what the provider says of itself. */
export async function discover({
  issuer,
  clientId,
  clientSecret,
}: Client): Promise<oidc.Configuration> {
  const address = new URL(issuer);
  // The contract lets it pass on this machine alone.
  const unencrypted = address.protocol === 'http:';
  const execute = unencrypted ? [oidc.allowInsecureRequests] : [];
  const found = await oidc.discovery(address, clientId, undefined, oidc.None(), {
    timeout: secondsToAnswer,
    execute,
  });
  const metadata = found.serverMetadata();
  const provider = new oidc.Configuration(
    metadata,
    clientId,
    undefined,
    clientSecret === null ? oidc.None() : proofOf(metadata, clientSecret),
  );
  provider.timeout = secondsToAnswer;
  if (unencrypted) oidc.allowInsecureRequests(provider);
  // The signature is verified even where TLS would vouch for it.
  oidc.enableNonRepudiationChecks(provider);
  return provider;
}

/** Basic is the standard's default; a secret in the body is for those who say they want nothing else. */
function proofOf(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: oidc.ServerMetadata,
  secret: string,
) {
  const inBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return inBody ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/** Where to send the browser, and what must be remembered until it returns. */
export async function begin(
  provider: oidc.Configuration,
  { scopes, redirectUri, fresh }: { scopes: string; redirectUri: string; fresh: boolean },
) {
  const begun: Begun = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  };
  const address = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: scopes.split(/\s+/).join(' '),
    response_type: 'code',
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
    // The person signs in there again, whatever session they have.
    ...(fresh && { prompt: 'login', max_age: '0' }),
  });
  return { begun, address: address.href };
}

/** Throws when anything is not as it was begun. `returned` is the address that the browser came back to. */
export async function finish(
  provider: oidc.Configuration,
  returned: URL,
  begun: Begun,
): Promise<Claims> {
  const tokens = await oidc.authorizationCodeGrant(provider, returned, {
    pkceCodeVerifier: begun.verifier,
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The identity provider answered without an ID token');
  const { userinfo_endpoint: moreAt, issuer } = provider.serverMetadata();
  // Many put no more than the subject into the ID token.
  const more: Partial<oidc.UserInfoResponse> =
    moreAt === undefined ? {} : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub);
  // That one address is verified says nothing of another.
  const verified =
    more.email === undefined || more.email === claims['email'] ? {} : { email_verified: undefined };
  const signedInAt = typeof claims.auth_time === 'number' ? claims.auth_time * 1000 : null;
  return { ...claims, ...verified, ...more, issuer, subject: claims.sub, signedInAt };
}

/** What the token endpoint says to a code that nobody gave: whether it takes the client for itself. Null: anything else. */
export async function proveClient(
  provider: oidc.Configuration,
  redirectUri: string,
): Promise<'known' | 'refused' | null> {
  const parameters = {
    code: 'test-of-the-configuration',
    redirect_uri: redirectUri,
    code_verifier: oidc.randomPKCECodeVerifier(),
  };
  try {
    await oidc.genericGrantRequest(provider, 'authorization_code', parameters);
    return null;
  } catch (error) {
    if (error instanceof oidc.ResponseBodyError) {
      if (error.error === 'invalid_grant') return 'known';
      if (error.error === 'invalid_client' || error.error === 'unauthorized_client')
        return 'refused';
    }
    // A challenge in the header is how a server refuses Basic (RFC 6749, 5.2).
    return error instanceof oidc.WWWAuthenticateChallengeError && error.status === 401
      ? 'refused'
      : null;
  }
}
