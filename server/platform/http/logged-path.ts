/** The path of a request as logs may show it: decoded, without its query, and without secrets that would give readers access. */
import type { FastifyRequest } from 'fastify';

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
 * A path with a route is recognised by its route, however it was written; its secret parameters are masked. A path without a route may
 * be a misspelt one, or a page of the console whose address holds a link's secret: there, everything after the words that precede
 * a secret is masked.
 */
export function loggedPath({ url, params, routeOptions }: Routed): string {
  const secretParams = routeOptions.config.secretParams ?? [];
  const route = routeOptions.url;
  if (route !== undefined && secretParams.length > 0)
    return filledIn(route, params as Readonly<Record<string, string>>, secretParams);
  return maskedPath(url);
}

function filledIn(
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

/** `reset-password` and `activate` are pages of the console, the others are calls. */
const secretFollows = /(\/(?:reset-password|activate|register|passwordreset|export|files)\/).+/i;

/** For an address without a route. */
export function maskedPath(url: string): string {
  const path = decoded(url.split(/[?#;]/, 1)[0] ?? '').replaceAll(/[/\\]+/g, '/');
  return path.replace(secretFollows, '$1…').slice(0, maxLength);
}

/** A path can be encoded more than once; what cannot be decoded stays as it is. */
function decoded(path: string): string {
  let text = path;
  for (let times = 0; times < maxDecodings; times++) {
    try {
      const next = decodeURIComponent(text);
      if (next === text) break;
      text = next;
    } catch {
      // Only the well-formed parts: a stray percent sign must not prevent decoding the rest.
      return text.replaceAll(/%[\da-f]{2}/gi, (code) => {
        const character = String.fromCodePoint(Number.parseInt(code.slice(1), 16));
        return character < '\u0080' ? character : code;
      });
    }
  }
  return text;
}
