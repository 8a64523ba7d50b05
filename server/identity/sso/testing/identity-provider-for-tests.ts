/** A real OpenID provider on loopback that signs one person in without a page, and a browser that follows its redirects. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const redirectUri = 'https://patch.example.org/api/sso/callback';
export const clientSecret = 'The-Secret-Of-The-Client-1';

export interface ProviderForTests {
  readonly issuer: string;
  /** The person who signs in next, with their claims. */
  person: { sub: string; [claim: string]: unknown };
  /** Claims of the ID token that differ. */
  inIdToken: { [claim: string]: unknown };
  /** Whether the person declines. */
  denies: boolean;
  /** Returns the query of the last request to the authorization endpoint. */
  readonly lastRequest: () => URLSearchParams;
  /** Follows redirects from the address and returns the one that leads back to the product. */
  signIn(address: string): Promise<URL>;
  stop(): Promise<void>;
}

export async function startProvider(): Promise<ProviderForTests> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let lastRequest = new URLSearchParams();
  const started: ProviderForTests = {
    issuer,
    person: { sub: 'jane-1' },
    inIdToken: {},
    denies: false,
    lastRequest: () => lastRequest,
    signIn: (address) => followRedirects(issuer, address),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const provider = createProvider(issuer, started);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    if (pathname === '/auth') lastRequest = searchParams;
    if (pathname.startsWith('/interaction/'))
      interact(provider, started, request, response).catch((error: unknown) =>
        response.destroy(error as Error),
      );
    else void answer(request, response);
  });
  return started;
}

type ProviderSettings = Pick<ProviderForTests, 'person' | 'inIdToken' | 'denies'>;

/** `settings` is read at each sign-in, so that a test can change it. */
function createProvider(issuer: string, settings: ProviderSettings): Provider {
  return new Provider(issuer, {
    clients: [
      { client_id: 'patch', client_secret: clientSecret, redirect_uris: [redirectUri] },
      { client_id: 'public', token_endpoint_auth_method: 'none', redirect_uris: [redirectUri] },
      {
        client_id: 'in-body',
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [redirectUri],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    pkce: { required: () => true },
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: (use) => ({ ...settings.person, ...(use === 'id_token' && settings.inIdToken), sub }),
    }),
    // Many providers also put the claims into the ID token.
    conformIdTokenClaims: false,
  });
}

/** Signs the person in, or refuses, where a real provider would show a page. */
async function interact(
  provider: Provider,
  settings: ProviderSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response);
  if (settings.denies) {
    await provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'They said no',
    });
    return;
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, {
      login: { accountId: settings.person.sub },
    });
    return;
  }
  const grant = new provider.Grant({
    accountId: settings.person.sub,
    clientId: String(params['client_id']),
  });
  grant.addOIDCScope('openid profile email');
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}

/** Follows redirects with cookies, as a browser does; returns the first address outside the provider. */
async function followRedirects(issuer: string, address: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let next = new URL(address);
  while (next.origin === issuer) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } });
    for (const set of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';', 1)[0]?.split(/=(.*)/) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    if (location === null)
      throw new Error(
        `The provider leads nowhere from ${next.pathname}: ${reply.status} ${await reply.text()}`,
      );
    next = new URL(location, next);
  }
  return next;
}
