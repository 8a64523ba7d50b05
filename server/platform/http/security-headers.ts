/** What the browser may do with our pages: run our scripts, talk to us, be framed by nobody. */
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // Ant Design writes its styles into the page while it runs.
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      fontSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
  referrerPolicy: { policy: 'same-origin' },
  // Sent by requireEncryption below where the console's address is https; on plain HTTP the next two would only break things.
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
};

/** A year, in seconds. Subdomains are left out: other services may stand there. */
const hstsMaxAge = 31_536_000;

/** Tells browsers to come by https alone, once the console is known to stand there: BASE_URL, or the setting of that name. */
export function requireEncryption(app: FastifyInstance, baseUrl: () => string | null): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (baseUrl()?.startsWith('https:') === true)
      reply.header('strict-transport-security', `max-age=${hstsMaxAge}`);
  });
}
