/** Client of an identity provider: OpenID Connect's authorization code flow with PKCE, state and nonce. */
import * as oidc from 'openid-client';
import { sendRequest } from '../../platform/network/http-client.ts';
import type { SsoAccount } from './sso-config-store.ts';

/** The data of a sign-in between its start and its return. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The verified claims of the identity provider about a person. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  /** When the person signed in at the provider, in epoch milliseconds; null: not stated. */
  readonly signedInAt: number | null;
  readonly [claim: string]: unknown;
}

export type Client = Pick<SsoAccount, 'issuer' | 'clientId' | 'clientSecret'>;

const timeoutSeconds = 10;
const maxResponseBytes = 1024 * 1024;
/** The code of the error about a longer response. */
export const longResponse = 'LONG_RESPONSE';

/** Requests a document of a provider, with the errors of `fetch`. Follows no redirects, as the protocol requires. */
export async function requestProvider(
  url: string,
  { method = 'GET', headers, body, signal: given }: Partial<oidc.CustomFetchOptions> = {},
): Promise<Response> {
  const signal = given ?? AbortSignal.timeout(timeoutSeconds * 1000);
  const content = body === undefined || body === null ? {} : { body: String(body) };
  const pieces: Uint8Array[] = [];
  try {
    const answer = await sendRequest(new URL(url), {
      method,
      headers: { ...headers },
      ...content,
      signal,
    });
    let bytes = 0;
    for await (const piece of answer as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > maxResponseBytes)
        throw Object.assign(new Error('The response is too long'), { code: longResponse });
    }
    return new Response(bytes === 0 ? null : Buffer.concat(pieces), {
      status: answer.statusCode ?? 0,
      headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
    });
  } catch (error) {
    throw signal.aborted ? signal.reason : new TypeError('fetch failed', { cause: error });
  }
}

/** Reads the provider's metadata. */
export async function discover({
  issuer,
  clientId,
  clientSecret,
}: Client): Promise<oidc.Configuration> {
  const address = new URL(issuer);
  // The contract allows http only for this machine.
  const unencrypted = address.protocol === 'http:';
  const execute = unencrypted ? [oidc.allowInsecureRequests] : [];
  const found = await oidc.discovery(address, clientId, undefined, oidc.None(), {
    timeout: timeoutSeconds,
    execute,
    [oidc.customFetch]: requestProvider,
  });
  const metadata = found.serverMetadata();
  const provider = new oidc.Configuration(
    metadata,
    clientId,
    undefined,
    clientSecret === null ? oidc.None() : clientAuthentication(metadata, clientSecret),
  );
  provider.timeout = timeoutSeconds;
  provider[oidc.customFetch] = requestProvider;
  if (unencrypted) oidc.allowInsecureRequests(provider);
  // Verifies the signature even where TLS would vouch for it.
  oidc.enableNonRepudiationChecks(provider);
  return provider;
}

/** Basic is the standard's default; the secret is sent in the body only when the provider supports nothing else. */
function clientAuthentication(
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: oidc.ServerMetadata,
  secret: string,
) {
  const inBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return inBody ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/** Returns the address to send the browser to, and the data needed at its return. */
export async function begin(
  provider: oidc.Configuration,
  { scopes, redirectUri, fresh }: { scopes: string; redirectUri: string; fresh: boolean },
) {
  const begun: PendingSignIn = {
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
    // Requires a new sign-in at the provider despite an existing session.
    ...(fresh && { prompt: 'login', max_age: '0' }),
  });
  return { begun, address: address.href };
}

/**
 * Completes a sign-in.
 * @param returned The address to which the browser returned.
 * @throws when the response does not match the start.
 */
export async function finish(
  provider: oidc.Configuration,
  returned: URL,
  begun: PendingSignIn,
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
  // Many providers put only the subject into the ID token.
  const more: Partial<oidc.UserInfoResponse> =
    moreAt === undefined ? {} : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub);
  // A verified address says nothing about a different one.
  const verified =
    more.email === undefined || more.email === claims['email'] ? {} : { email_verified: undefined };
  const signedInAt = typeof claims.auth_time === 'number' ? claims.auth_time * 1000 : null;
  return { ...claims, ...verified, ...more, issuer, subject: claims.sub, signedInAt };
}

/**
 * Sends an invalid code to the token endpoint. Returns whether the provider accepts the client; null when the reply shows
 * neither.
 */
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
    // Servers refuse Basic by a challenge in the header (RFC 6749, 5.2).
    return error instanceof oidc.WWWAuthenticateChallengeError && error.status === 401
      ? 'refused'
      : null;
  }
}
