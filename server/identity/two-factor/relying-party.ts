/** For which host browsers make and use passkeys here: WebAuthn binds them to a host name over an encrypted connection, or to localhost. */

export interface RelyingParty {
  readonly kind: 'party';
  /** The host, without scheme and port. */
  readonly id: string;
  /** Whether a browser that shows this origin shows this service: `https://patch.example.org`. */
  isOrigin(origin: string): boolean;
}

/** `why` is a sentence for people: what keeps passkeys from working, and what to do. */
export interface NoRelyingParty {
  readonly kind: 'none';
  readonly why: string;
}

/** `baseUrl`: where the console is, as BASE_URL or the settings say; null: not said, and only localhost is certain. */
export function relyingPartyOf(baseUrl: string | null): RelyingParty | NoRelyingParty {
  if (baseUrl === null)
    return { kind: 'party', id: 'localhost', isOrigin: (origin) => hostOf(origin) === 'localhost' };
  const url = URL.parse(baseUrl);
  if (url === null)
    return { kind: 'none', why: `Passkeys need a base URL that can be read; it is '${baseUrl}'.` };
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

const hostOf = (origin: string) => URL.parse(origin)?.hostname;
const isAddress = (host: string) => host.startsWith('[') || /^\d+(\.\d+){3}$/.test(host);
