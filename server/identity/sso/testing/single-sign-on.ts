/** Configures single sign-on with a real provider, and signs people in through it as a browser does. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { SignInApp } from '../../sign-in/testing/sign-in-app.ts';
import {
  clientSecret,
  type ProviderForTests,
  startProvider,
} from './identity-provider-for-tests.ts';

export const jane = {
  sub: 'jane-1',
  email: 'Jane@Example.org',
  email_verified: true,
  preferred_username: 'jane',
  name: 'Second Operator',
};

export type ConfigChange = Partial<ReturnType<SingleSignOn['config']>>;

interface Page {
  readonly location: URL;
  /** The header that sets the cookie, with its attributes. */
  readonly setCookie: string;
  /** The cookie as the browser sends it. */
  readonly cookie: string;
  readonly failure: string | null;
  readonly ticket: string | null;
}

export class SingleSignOn {
  readonly #service: SignInApp;
  provider!: ProviderForTests;

  constructor(service: SignInApp) {
    this.#service = service;
  }

  config() {
    return {
      enabled: true,
      label: 'Example',
      issuer: this.provider.issuer,
      clientId: 'patch',
      clientSecret: clientSecret as string | undefined,
      scopes: 'openid profile email',
      nameClaim: 'preferred_username',
      allowedDomains: [] as string[],
      createUsers: true,
      linkByEmail: true,
    };
  }

  save(change: ConfigChange = {}) {
    return this.#service.operator.post('/ssoconfig', { ...this.config(), ...change });
  }

  /** Requests a page that redirects. */
  async browse(path = '/sso/start', cookie = ''): Promise<Page> {
    const { status, headers, json } = await this.#service.anyone.get(path, { cookie });
    if (status !== 302) throw new Error(`${path} leads nowhere: ${JSON.stringify(json)}`);
    const location = new URL(String(headers['location']), 'https://patch.example.org');
    const setCookie = String(headers['set-cookie'] ?? '');
    return {
      location,
      setCookie,
      cookie: setCookie.split(';', 1)[0] ?? '',
      failure: location.searchParams.get('ssoError'),
      ticket: location.searchParams.get('sso'),
    };
  }

  /** Follows the redirects to the provider and back, with the browser's cookie. */
  async throughProvider(start = '/sso/start'): Promise<Page> {
    const { location, cookie } = await this.browse(start);
    const { pathname, search } = await this.provider.signIn(location.href);
    return { ...(await this.browse(pathname.replace('/api', '') + search, cookie)), cookie };
  }

  exchange({ ticket, cookie }: Pick<Page, 'ticket' | 'cookie'>, otp?: string) {
    const body = { username: 'sso', password: ticket, loginType: 'sso', otp };
    return this.#service.anyone.post('/authenticate', body, { cookie });
  }

  async signIn() {
    const page = await this.throughProvider();
    if (page.failure !== null) throw new Error(`Nobody is signed in: ${page.failure}`);
    return this.exchange(page);
  }
}

export function withSingleSignOn(service: SignInApp): SingleSignOn {
  const sso = new SingleSignOn(service);
  beforeAll(async () => {
    sso.provider = await startProvider();
  });
  afterAll(() => sso.provider.stop());
  beforeEach(() => {
    Object.assign(sso.provider, { person: jane, denies: false });
  });
  return sso;
}
