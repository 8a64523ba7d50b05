/** Single sign-on routes: the configuration, and the redirects to the provider and back. */
import {
  type SsoConfig,
  type SsoFailure,
  saveSsoConfigEndpoint,
  ssoCallbackEndpoint,
  ssoConfigEndpoint,
  ssoStatusEndpoint,
  startSsoEndpoint,
  testSsoConfigEndpoint,
} from '@patch/contract/accounts/sso-endpoints.ts';
import type { Configuration } from 'openid-client';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { Redirect, type RouteRegistrar } from '../../platform/http/route.ts';
import type { Log } from '../../platform/logging/logging.ts';
import {
  type SecretBox,
  toUnreadable,
  UnreadableSecret,
} from '../../platform/secrets/secret-box.ts';
import { lockSettings } from '../../platform/settings/settings-store.ts';
import { findUserById } from '../accounts/user-store.ts';
import { begin, type Claims, discover, finish } from './identity-provider.ts';
import { providerFailure } from './provider-failure.ts';
import {
  readSsoAccount,
  readSsoConfig,
  type SsoAccount,
  writeSsoConfig,
} from './sso-config-store.ts';
import { resolvePerson, SsoRefused } from './sso-person.ts';
import { useAttempt } from './sso-store.ts';
import { type TestedAccount, testSso } from './sso-test.ts';
import {
  type Attempt,
  attemptMs,
  readAttempt,
  type SsoTickets,
  setAttempt,
  ssoCookie,
  stateHash,
} from './sso-tickets.ts';

interface SsoParts {
  readonly database: Database;
  readonly box: SecretBox;
  readonly tickets: SsoTickets;
  readonly clock: () => number;
  readonly log: Pick<Log, 'info' | 'warn'>;
  /** Base URL of the console: https://patch.example.org */
  readonly baseUrl: () => string;
}

/** Tolerated difference to the provider's clock. */
const maxClockDifferenceMs = 60_000;

/** Time for which a provider's metadata is cached. */
const metadataTtlMs = 10 * 60_000;

export function ssoRoutes(route: RouteRegistrar, parts: SsoParts): void {
  const { database, box, tickets, clock, log, baseUrl } = parts;
  const redirectUri = () => `${baseUrl()}/api/sso/callback`;
  ssoConfigRoutes(route, { database, box, redirectUri });
  const getProvider = cacheDiscovery(clock);

  route(startSsoEndpoint, async ({ query: { redirectFrom, fresh: freshParameter }, requestId }) => {
    const fresh = freshParameter !== undefined;
    try {
      const account = await requireEnabled();
      const provider = await getProvider(account);
      const { begun, address } = await begin(provider, {
        scopes: account.scopes,
        redirectUri: redirectUri(),
        fresh,
      });
      const attempt = {
        ...begun,
        fresh,
        ...(redirectFrom !== undefined && { redirectFrom }),
        endsTime: clock() + attemptMs,
      };
      return new Redirect(address, setAttempt(box, attempt, baseUrl().startsWith('https:')));
    } catch (error) {
      const ssoError = await toFailure(error, requestId, parts);
      return backToLogin({ ssoError, redirectFrom });
    }
  });

  route(ssoCallbackEndpoint, async ({ query, cookie, requestId, changed }) => {
    const stateCookie = cookie(ssoCookie);
    const attempt = readAttempt(box, stateCookie, clock());
    const redirectFrom = attempt?.redirectFrom;
    try {
      if (stateCookie === null || attempt === null || query.state !== attempt.state)
        throw new SsoRefused('over');
      if (
        !(await useAttempt(database, {
          stateHash: stateHash(attempt.state),
          endsTime: attempt.endsTime,
        }))
      )
        throw new SsoRefused('over');
      if (query.error !== undefined) {
        log.warn(
          { requestId, error: query.error, words: query.error_description },
          'the identity provider refused a sign-in',
        );
        throw new SsoRefused('denied');
      }
      const account = await requireEnabled();
      const returned = new URL(redirectUri());
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) returned.searchParams.set(name, value);
      const claims = await finish(await getProvider(account), returned, attempt);
      const signedInAt = checkSignInTime(claims, attempt, { log, clock });
      const { userId, made } = await resolvePerson(database, claims, account, clock());
      const known = made === null ? null : await findUserById(database, userId);
      if (known !== null) {
        const { name, email, userType } = known.user;
        const after = made === 'created' ? { name, email, userType } : { signsInBy: claims.issuer };
        changed({ subject: `user ${name}`, by: known.user, after });
      }
      return backToLogin({
        sso: await tickets.issue(userId, stateCookie, signedInAt),
        redirectFrom,
      });
    } catch (error) {
      const ssoError = await toFailure(error, requestId, parts);
      return backToLogin({ ssoError, redirectFrom });
    }
  });

  async function requireEnabled(): Promise<SsoAccount> {
    const account = await readSsoAccount(database, box);
    if (account === null || !account.enabled) throw new SsoRefused('off');
    return account;
  }
}

/** Routes for the configuration, and for whether single sign-on is offered. */
function ssoConfigRoutes(
  route: RouteRegistrar,
  {
    database,
    box,
    redirectUri,
  }: Pick<SsoParts, 'database' | 'box'> & { readonly redirectUri: () => string },
): void {
  route(ssoConfigEndpoint, async () => ({
    config: await readSsoConfig(database),
    redirectUri: redirectUri(),
  }));

  route(saveSsoConfigEndpoint, async ({ body, changed }) => {
    const before = await database.transaction(async (tx) => {
      await lockSettings(tx);
      const previous = await readSsoConfig(tx);
      if (
        body.clientSecret === undefined &&
        previous?.clientSecretSet === true &&
        !isSameClient(previous, body)
      )
        throw new AppError(
          'secret_needed',
          `The client secret was entered for ${previous.clientId} at ${previous.issuer}. Enter the one for ${body.clientId} at ${body.issuer}.`,
        );
      await writeSsoConfig(tx, box, body);
      return previous;
    });
    const config = await readSsoConfig(database);
    if (config === null)
      throw new Error('The single sign-on configuration is missing after it was written');
    changed({
      subject: 'single sign-on configuration',
      ...(before !== null && { before }),
      after: config,
    });
    return { message: 'single sign-on configuration saved' as const, config };
  });

  route(testSsoConfigEndpoint, async ({ body }) => testSso(await toAccount(body), redirectUri()));

  route(ssoStatusEndpoint, async () => {
    const config = await readSsoConfig(database);
    return config?.enabled === true
      ? { enabled: true, label: config.label }
      : { enabled: false, label: '' };
  });

  /** A secret that is not entered again stays unchanged. */
  async function toAccount({ clientSecret, ...config }: SsoConfig): Promise<TestedAccount> {
    if (clientSecret !== undefined)
      return { ...config, clientSecret: clientSecret === '' ? null : clientSecret };
    const stored = await readSsoConfig(database);
    if (stored === null || !isSameClient(stored, config)) return { ...config, clientSecret: null };
    const account = await readSsoAccount(database, box).catch(toUnreadable);
    return account instanceof UnreadableSecret
      ? { ...config, clientSecret: null, unreadable: account }
      : { ...config, clientSecret: account?.clientSecret ?? null };
  }
}

/** Checks that a person who had to sign in again has done so: not every provider complies. */
function checkSignInTime(
  { signedInAt }: Claims,
  { fresh = false, endsTime }: Attempt,
  { log, clock }: Pick<SsoParts, 'log' | 'clock'>,
): number | null {
  if (fresh && (signedInAt ?? 0) < endsTime - attemptMs - maxClockDifferenceMs) {
    log.warn(
      { signedInAt },
      'the identity provider did not ask a person to sign in again, or does not say when (auth_time)',
    );
    throw new SsoRefused('notFresh');
  }
  return signedInAt === null ? null : Math.min(signedInAt, clock());
}

/** Returns the failure for the login page, where a person is waiting. The log has the details for administrators. */
async function toFailure(
  error: unknown,
  requestId: string,
  { database, box, log }: Pick<SsoParts, 'database' | 'box' | 'log'>,
): Promise<SsoFailure> {
  if (error instanceof SsoRefused) {
    log.info({ requestId, failure: error.failure }, 'a sign-in by single sign-on was refused');
    return error.failure;
  }
  const account = await readSsoAccount(database, box).catch(() => null);
  const { away, words } = providerFailure(error, account?.clientSecret ?? null);
  log.warn({ requestId, reason: words }, 'a sign-in by single sign-on failed');
  return away ? 'unreachable' : 'unproven';
}

type ClientIdentity = Pick<SsoConfig, 'issuer' | 'clientId'>;

/** A secret is never sent to a provider other than the one it was entered for. */
const isSameClient = (stored: ClientIdentity, given: ClientIdentity) =>
  stored.issuer === given.issuer && stored.clientId === given.clientId;

function backToLogin(words: {
  readonly sso?: string;
  readonly ssoError?: SsoFailure;
  readonly redirectFrom: string | undefined;
}): Redirect {
  const query = Object.entries(words).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return new Redirect(`/login?${new URLSearchParams(query).toString()}`);
}

/** Caches the provider across sign-ins until the configuration changes. Failures are not cached. */
function cacheDiscovery(clock: () => number): (account: SsoAccount) => Promise<Configuration> {
  let last:
    | { readonly key: string; readonly at: number; readonly provider: Configuration }
    | undefined;
  return async (account) => {
    const key = JSON.stringify([account.issuer, account.clientId, account.clientSecret]);
    if (last?.key === key && clock() - last.at < metadataTtlMs) return last.provider;
    const provider = await discover(account);
    last = { key, at: clock(), provider };
    return provider;
  };
}
