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
} from '@patch/contract/sso-endpoints.ts';
import type { Configuration } from 'openid-client';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { Redirect, type RouteRegistrar } from '../../platform/http/route.ts';
import type { Log } from '../../platform/logging/logging.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
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
import {
  type Attempt,
  attemptMs,
  readAttempt,
  setAttempt,
  ssoCookie,
  stateHash,
} from './sso-cookie.ts';
import { personOf, SsoRefused } from './sso-person.ts';
import { testSso } from './sso-test.ts';
import { useAttempt } from './sso-ticket-store.ts';
import type { SsoTickets } from './sso-tickets.ts';

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
const clocksApartMs = 60_000;

/** How long a provider's metadata is cached. */
const believed = 10 * 60_000;

export function ssoRoutes(
  route: RouteRegistrar,
  { database, box, tickets, clock, log, baseUrl }: SsoParts,
): void {
  const redirectUri = () => `${baseUrl()}/api/sso/callback`;
  ssoConfigRoutes(route, { database, box, redirectUri });
  const providerOf = discoveredOnce(clock);

  route(startSsoEndpoint, async ({ query: { redirectFrom, fresh: asked }, requestId }) => {
    const fresh = asked !== undefined;
    try {
      const account = await offered();
      const provider = await providerOf(account);
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
      return backToLogin({ ssoError: failureOf(error, requestId, log), redirectFrom });
    }
  });

  route(ssoCallbackEndpoint, async ({ query, cookie, requestId, changed }) => {
    const kept = cookie(ssoCookie);
    const attempt = readAttempt(box, kept, clock());
    const redirectFrom = attempt?.redirectFrom;
    try {
      if (kept === null || attempt === null || query.state !== attempt.state)
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
      const account = await offered();
      const returned = new URL(redirectUri());
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) returned.searchParams.set(name, value);
      const claims = await finish(await providerOf(account), returned, attempt);
      const signedInAt = timeOfSignIn(claims, attempt, { log, clock });
      const { userId, made } = await personOf(database, claims, account, clock());
      const known = made === null ? null : await findUserById(database, userId);
      if (known !== null) {
        const { name, email, userType } = known.user;
        const after = made === 'created' ? { name, email, userType } : { signsInBy: claims.issuer };
        changed({ subject: `user ${name}`, by: known.user, after });
      }
      return backToLogin({ sso: await tickets.issue(userId, kept, signedInAt), redirectFrom });
    } catch (error) {
      return backToLogin({ ssoError: failureOf(error, requestId, log), redirectFrom });
    }
  });

  async function offered(): Promise<SsoAccount> {
    const account = await readSsoAccount(database, box);
    if (account === null || !account.enabled) throw new SsoRefused('off');
    return account;
  }
}

/** What administrators set, and whether single sign-on is offered. */
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
      const was = await readSsoConfig(tx);
      if (
        body.clientSecret === undefined &&
        was?.clientSecretSet === true &&
        !isSameClient(was, body)
      )
        throw new AppError(
          'secret_needed',
          `The client secret was entered for ${was.clientId} at ${was.issuer}. Enter the one for ${body.clientId} at ${body.issuer}.`,
        );
      await writeSsoConfig(tx, box, body);
      return was;
    });
    const config = await readSsoConfig(database);
    if (config === null)
      throw new Error('The configuration of single sign-on was written and is not there');
    changed({
      subject: 'single sign-on configuration',
      ...(before !== null && { before }),
      after: config,
    });
    return { message: 'single sign-on configuration saved' as const, config };
  });

  route(testSsoConfigEndpoint, async ({ body }) => testSso(await accountOf(body), redirectUri()));

  route(ssoStatusEndpoint, async () => {
    const config = await readSsoConfig(database);
    return config?.enabled === true
      ? { enabled: true, label: config.label }
      : { enabled: false, label: '' };
  });

  /** A secret that is not entered again stays unchanged. */
  async function accountOf({ clientSecret, ...config }: SsoConfig): Promise<SsoAccount> {
    if (clientSecret !== undefined)
      return { ...config, clientSecret: clientSecret === '' ? null : clientSecret };
    const kept = await readSsoAccount(database, box).catch(() => null);
    return {
      ...config,
      clientSecret: kept !== null && isSameClient(kept, config) ? kept.clientSecret : null,
    };
  }
}

/** Checks that a person who was asked to sign in again has done so: not every provider complies. */
function timeOfSignIn(
  { signedInAt }: Claims,
  { fresh = false, endsTime }: Attempt,
  { log, clock }: Pick<SsoParts, 'log' | 'clock'>,
): number | null {
  if (fresh && (signedInAt ?? 0) < endsTime - attemptMs - clocksApartMs) {
    log.warn(
      { signedInAt },
      'the identity provider did not ask a person to sign in again, or does not say when (auth_time)',
    );
    throw new SsoRefused('notFresh');
  }
  return signedInAt === null ? null : Math.min(signedInAt, clock());
}

/** A person is waiting: the login page shows every error. The details for administrators are in the log. */
function failureOf(error: unknown, requestId: string, log: SsoParts['log']): SsoFailure {
  if (error instanceof SsoRefused) {
    log.info({ requestId, failure: error.failure }, 'a sign-in by single sign-on was refused');
    return error.failure;
  }
  const { away, words } = providerFailure(error);
  log.warn({ requestId, reason: words }, 'a sign-in by single sign-on failed');
  return away ? 'unreachable' : 'unproven';
}

type NamedClient = Pick<SsoConfig, 'issuer' | 'clientId'>;

/** A secret is never sent to a provider other than the one it was entered for. */
const isSameClient = (kept: NamedClient, given: NamedClient) =>
  kept.issuer === given.issuer && kept.clientId === given.clientId;

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

/** Cached across sign-ins, and built again after a configuration change. A failure is not cached. */
function discoveredOnce(clock: () => number): (account: SsoAccount) => Promise<Configuration> {
  let last:
    | { readonly key: string; readonly at: number; readonly provider: Configuration }
    | undefined;
  return async (account) => {
    const key = JSON.stringify([account.issuer, account.clientId, account.clientSecret]);
    if (last?.key === key && clock() - last.at < believed) return last.provider;
    const provider = await discover(account);
    last = { key, at: clock(), provider };
    return provider;
  };
}
