/** Logs one line per request: id, method, path without secrets and query, status, milliseconds, caller. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../logging/logging.ts';

export function logAccess(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      requestId: request.id,
      method: request.method,
      path: loggedPath(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: request.caller?.user?.id ?? null,
      client: request.caller?.client?.id,
      address: request.ip,
    };
    // Pages, files and health checks are frequent and of little interest.
    if (line.path.startsWith('/api/') && !line.path.startsWith('/api/health'))
      log.info(line, 'request');
    else log.debug(line, 'request');
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Route parameters that are never logged. */
    readonly secretParams?: readonly string[];
  }
}

type Routed = Pick<FastifyRequest, 'url' | 'params'> & {
  readonly routeOptions: Pick<FastifyRequest['routeOptions'], 'url' | 'config'>;
};

const maxLength = 500;
const maxDecodings = 3;

/**
 * Masks the secret parameters of a path with a route, in any encoding. A path without a route may be misspelt, or a page of the console
 * with a link's secret: everything after words that precede a secret is masked.
 */
export function loggedPath({ url, params, routeOptions }: Routed): string {
  const secretParams = routeOptions.config.secretParams ?? [];
  const route = routeOptions.url;
  if (route !== undefined && secretParams.length > 0)
    return fillRoute(route, params as Readonly<Record<string, string>>, secretParams);
  return maskPath(url);
}

function fillRoute(
  route: string,
  params: Readonly<Record<string, string>>,
  secretParams: readonly string[],
): string {
  return route
    .replaceAll(/:(\w+)/g, (_, name: string) =>
      secretParams.includes(name) ? '…' : (params[name] ?? ''),
    )
    .slice(0, maxLength);
}

/** Words that precede a secret: `reset-password` and `activate` are pages of the console, the others are calls. */
const secretPattern =
  /(\/(?:reset-password|activate|register|passwordreset|export|files|atom)\/).+/i;

/** Masks an address without a route. */
export function maskPath(url: string): string {
  const path = decodePath(url.split(/[?#;]/, 1)[0] ?? '').replaceAll(/[/\\]+/g, '/');
  return path.replace(secretPattern, '$1…').slice(0, maxLength);
}

/** Decodes a path that may be encoded several times. Invalid parts stay unchanged. */
function decodePath(path: string): string {
  let text = path;
  for (let times = 0; times < maxDecodings; times++) {
    try {
      const next = decodeURIComponent(text);
      if (next === text) break;
      text = next;
    } catch {
      // Decodes the valid parts: a stray percent sign must not prevent decoding the rest.
      return text.replaceAll(/%[\da-f]{2}/gi, (code) => {
        const character = String.fromCodePoint(Number.parseInt(code.slice(1), 16));
        return character < '\u0080' ? character : code;
      });
    }
  }
  return text;
}
