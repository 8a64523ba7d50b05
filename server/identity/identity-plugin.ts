/** Routes of the identity module, and the removal of its expired data. */
import type { FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { cleanPeriodically } from '../platform/http/clean-periodically.ts';
import { deleteExpiredAttempts } from './accounts/sign-in-attempt-store.ts';
import { apiKeyRoutes } from './api-keys/api-key-routes.ts';
import type { IdentityContext } from './identity-context.ts';
import { ownPasswordRoutes, passwordResetRoutes } from './sign-in/password-routes.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { ssoRoutes } from './sso/sso-routes.ts';
import { deleteExpiredTickets } from './sso/sso-store.ts';
import { passkeyRoutes } from './two-factor/passkey-routes.ts';
import { deleteExpiredChallenges } from './two-factor/passkey-store.ts';
import { twoFactorRoutes } from './two-factor/two-factor-routes.ts';
import { avatarRoutes } from './users/avatar-routes.ts';
import { openSessionRoutes } from './users/open-session-routes.ts';
import { userRoutes } from './users/user-routes.ts';

const registerIdentity: FastifyPluginAsync<IdentityContext> = async (app, context) => {
  signInRoutes(app.endpoint, context);
  twoFactorRoutes(app.endpoint, context);
  passkeyRoutes(app.endpoint, context);
  ssoRoutes(app.endpoint, context);
  ownPasswordRoutes(app.endpoint, context);
  passwordResetRoutes(app.endpoint, context);
  userRoutes(app.endpoint, context);
  avatarRoutes(app.endpoint, context);
  openSessionRoutes(app.endpoint, context);
  apiKeyRoutes(app.endpoint, context);

  const { database, clock, log, sessions } = context;
  cleanPeriodically(app, log, [
    () => sessions.removeExpired(),
    () => deleteExpiredAttempts(database, clock()),
    () => deleteExpiredTickets(database, clock()),
    () => deleteExpiredChallenges(database, clock()),
  ]);
};

export const identityPlugin = fastifyPlugin(registerIdentity, {
  name: 'identity',
  dependencies: ['platform'],
  encapsulate: true,
});
