/** The part of the shared context that the identity module adds: sessions, second factors and API keys. */
import type { Authenticators } from '../platform/http/authenticate.ts';
import type { PlatformContext } from '../platform/platform-context.ts';
import {
  type IsRequired,
  requiresSecondFactor,
  withObligation,
} from './accounts/required-second-factor.ts';
import { findUserAndFactor } from './accounts/user-store.ts';
import { apiKeyAuthenticator } from './api-keys/api-keys.ts';
import { Sessions } from './sessions/sessions.ts';
import { createSsoTickets, type SsoTickets } from './sso/sso-tickets.ts';
import { Passkeys } from './two-factor/passkeys.ts';
import { createSecondFactor, type SecondFactor } from './two-factor/second-factor.ts';

export interface IdentityContext extends PlatformContext {
  readonly sessions: Sessions;
  readonly passkeys: Passkeys;
  readonly secondFactor: SecondFactor;
  readonly tickets: SsoTickets;
  readonly findApiKey: NonNullable<Authenticators['findApiKey']>;
  readonly findUser: NonNullable<Authenticators['findUser']>;
  readonly isRequired: IsRequired;
}

export function identityContext(platform: PlatformContext): IdentityContext {
  const { box, clock, settings } = platform;
  const database = platform.pools.signIns;
  const isRequired: IsRequired = (userType) =>
    requiresSecondFactor(settings.current().secondFactorRequired, userType);
  const sessions = new Sessions(
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
  // Without a base URL in the settings passkeys are unavailable: they belong to a domain, not to an address.
  const passkeys = new Passkeys({
    database,
    box,
    clock,
    baseUrl: () => settings.current().baseUrl,
  });
  const secondFactor = createSecondFactor({ database, box, passkeys, clock });
  return {
    ...platform,
    sessions,
    passkeys,
    secondFactor,
    tickets: createSsoTickets({ database, sessions, secondFactor, clock }),
    findApiKey: apiKeyAuthenticator(database, clock, isRequired),
    async findUser(id) {
      const found = await findUserAndFactor(database, id);
      return found && withObligation(found.user, found.lacksSecondFactor, isRequired);
    },
    isRequired,
  };
}
