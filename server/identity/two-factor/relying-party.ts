/** Determines the host for passkeys: WebAuthn binds them to a host name over an encrypted connection, or to localhost. */

export interface RelyingParty {
  readonly kind: 'party';
  /** The host, without scheme and port. */
  readonly id: string;
  /** Returns whether the origin is this service: `https://patch.example.org`. */
  isOrigin(origin: string): boolean;
}

/** `why` is a sentence for people: the reason and what to do. */
export interface NoRelyingParty {
  readonly kind: 'none';
  readonly why: string;
}

/** @param baseUrl Base URL of the console from BASE_URL or the settings; null: unknown, so that only localhost is certain. */
export function getRelyingParty(baseUrl: string | null): RelyingParty | NoRelyingParty {
  if (baseUrl === null)
    return {
      kind: 'party',
      id: 'localhost',
      isOrigin: (origin) => getHost(origin) === 'localhost',
    };
  const url = URL.parse(baseUrl);
  if (url === null)
    return { kind: 'none', why: `Passkeys need a valid base URL; it is '${baseUrl}'.` };
  if (isAddress(url.hostname))
    return {
      kind: 'none',
      why: `Passkeys need a base URL with a host name; it has the IP address ${url.hostname}.`,
    };
  if (url.protocol !== 'https:' && url.hostname !== 'localhost')
    return {
      kind: 'none',
      why: `Passkeys need a base URL that begins with https; it is ${url.origin}.`,
    };
  return { kind: 'party', id: url.hostname, isOrigin: (origin) => origin === url.origin };
}

const getHost = (origin: string) => URL.parse(origin)?.hostname;
const isAddress = (host: string) => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
