/** Security headers of pages: only the service's own scripts and connections, and no frames. */
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'"],
      // Ant Design adds its styles to the page at run time.
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
  // requireEncryption below sends this header when the console's address is https. On plain HTTP the next two would break pages.
  strictTransportSecurity: false,
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
};

/** A year in seconds. Subdomains are not included, since other services may run there. */
const hstsMaxAge = 31_536_000;

/** Makes browsers use https only when BASE_URL, or the setting of that name, is an https address. */
export function requireEncryption(app: FastifyInstance, baseUrl: () => string | null): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (baseUrl()?.startsWith('https:') === true)
      reply.header('strict-transport-security', `max-age=${hstsMaxAge}`);
  });
}
