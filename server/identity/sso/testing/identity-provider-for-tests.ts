/** A real OpenID provider on loopback, which knows one person and signs them in without asking; and a browser that follows it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const redirectUri = 'https://patch.example.org/api/sso/callback';
export const clientSecret = 'The-Secret-Of-The-Client-1';

export interface ProviderForTests {
  readonly issuer: string;
  /** Who signs in next, and what is told of them. */
  person: { sub: string; [claim: string]: unknown };
  /** What the ID token tells of them otherwise. */
  inIdToken: { [claim: string]: unknown };
  /** Whether they say no when they are asked. */
  denies: boolean;
  /** What was asked of the authorization endpoint last. */
  readonly asked: () => URLSearchParams;
  /** Goes where the product led the browser, and answers where the provider leads it back to. */
  signIn(address: string): Promise<URL>;
  stop(): Promise<void>;
}

export async function startProvider(): Promise<ProviderForTests> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let asked = new URLSearchParams();
  const started: ProviderForTests = {
    issuer,
    person: { sub: 'jane-1' },
    inIdToken: {},
    denies: false,
    asked: () => asked,
    signIn: (address) => followRedirects(issuer, address),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const provider = providerOf(issuer, started);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    if (pathname === '/auth') asked = searchParams;
    if (pathname.startsWith('/interaction/'))
      interact(provider, started, request, response).catch((error: unknown) =>
        response.destroy(error as Error),
      );
    else void answer(request, response);
  });
  return started;
}

type Told = Pick<ProviderForTests, 'person' | 'inIdToken' | 'denies'>;

/** `told` is read at each sign-in, so that a test can change it. */
function providerOf(issuer: string, told: Told): Provider {
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
      claims: (use) => ({ ...told.person, ...(use === 'id_token' && told.inIdToken), sub }),
    }),
    // As many do: what is told of the person is in the ID token as well.
    conformIdTokenClaims: false,
  });
}

/** Signs the person in, or refuses, where a real provider would show a page. */
async function interact(
  provider: Provider,
  told: Told,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params } = await provider.interactionDetails(request, response);
  if (told.denies) {
    await provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'They said no',
    });
    return;
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, {
      login: { accountId: told.person.sub },
    });
    return;
  }
  const grant = new provider.Grant({
    accountId: told.person.sub,
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

/** As a browser does, with cookies; returns the first address outside the provider. */
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
