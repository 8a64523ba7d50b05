/** What the identity module adds to the shared context: sessions, second factors and how API keys are recognized. */
import type { UserType } from '@patch/contract/sign-in-endpoints.ts';
import type { Authenticators } from '../platform/http/authenticate.ts';
import type { PlatformContext } from '../platform/platform-context.ts';
import { apiKeyAuthenticator } from './api-keys/api-key-authenticator.ts';
import { requiresSecondFactor, type Sessions, sessionsOf } from './sessions/sessions.ts';
import { type SsoTickets, ssoTicketsOf } from './sso/sso-tickets.ts';
import { Passkeys } from './two-factor/passkeys.ts';
import { type SecondFactor, secondFactorOf } from './two-factor/second-factor.ts';

export interface IdentityContext extends PlatformContext {
  readonly sessions: Sessions;
  readonly passkeys: Passkeys;
  readonly secondFactor: SecondFactor;
  readonly tickets: SsoTickets;
  readonly findApiKey: NonNullable<Authenticators['findApiKey']>;
  /** Whether the service requires a second factor of users of this type. */
  readonly isRequired: (userType: UserType) => boolean;
}

export function identityContext(platform: PlatformContext): IdentityContext {
  const { box, clock, settings } = platform;
  const database = platform.pools.signIns;
  const sessions = sessionsOf(
    database,
    () => {
      const { sessionIdleMinutes, sessionMaxHours, secondFactorRequired } = settings.current();
      return {
        idleMs: sessionIdleMinutes * 60_000,
        maxMs: sessionMaxHours * 3_600_000,
        secondFactorRequired,
      };
    },
    clock,
  );
  // The setting alone: a passkey belongs to a domain, and an address is none.
  const passkeys = new Passkeys({
    database,
    box,
    clock,
    baseUrl: () => settings.current().baseUrl,
  });
  const secondFactor = secondFactorOf({ database, box, passkeys, clock });
  return {
    ...platform,
    sessions,
    passkeys,
    secondFactor,
    tickets: ssoTicketsOf({ database, sessions, secondFactor, clock }),
    findApiKey: apiKeyAuthenticator(database, clock),
    isRequired: (userType) =>
      requiresSecondFactor(settings.current().secondFactorRequired, userType),
  };
}
