/** Why a document could not be fetched: what happened, the likely cause, and what to do. Read by administrators. */
import { FetchFailed } from '@patch/catalogue/definition/feed.ts';
import type { BrokenDocument } from '@patch/catalogue/parsers/document-of.ts';

/** One attempt that went wrong. `happened` continues a sentence that begins with the address: 'answered 503'. */
export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt';
  readonly happened: string;
  readonly advice: string;
  /** Whether another attempt may go better. */
  readonly passing: boolean;
  /** What the vendor asked to wait, in milliseconds; null when it did not. */
  readonly waitAsked: number | null;

  constructor(
    happened: string,
    advice: string,
    more: { passing: boolean; waitAsked?: number | null; cause?: unknown },
  ) {
    super(happened, { cause: more.cause });
    this.happened = happened;
    this.advice = advice;
    this.passing = more.passing;
    this.waitAsked = more.waitAsked ?? null;
  }
}

const triedAgain = 'the next sync tries again.';

export function statusAttempt(status: number, waitAsked: number | null): FailedAttempt {
  const passing = status === 408 || status === 425 || status === 429 || status >= 500;
  return new FailedAttempt(`answered ${status}`, adviceOfStatus(status), { passing, waitAsked });
}

function adviceOfStatus(status: number): string {
  if (status === 429) return `The vendor limits the number of requests; ${triedAgain}`;
  if (status >= 500 || status === 408 || status === 425)
    return `The vendor's server is overloaded or down; ${triedAgain}`;
  if (status === 407) return 'The proxy wants a password: put it into HTTPS_PROXY.';
  if (status === 401 || status === 403) {
    return 'The vendor, or a proxy or firewall on the way, refuses this server: open the address from here to see who answers.';
  }
  return 'The vendor has probably moved or changed this document: see whether a newer version of this program knows its new place.';
}

export function networkAttempt(error: unknown): FailedAttempt {
  const code = codeOf(error);
  const words = error instanceof Error ? error.message : String(error);
  const failed = (happened: string, advice: string, passing = true) =>
    new FailedAttempt(happened, advice, { passing, cause: error });
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return failed(
      'could not be looked up: its host name does not resolve',
      "Check this server's DNS and network; in a closed network set FEED_MIRROR.",
    );
  }
  if (/CERT|SIGNATURE|ISSUER|TLS|SSL|ALTNAME/.test(code)) {
    return failed(
      `was not trusted: ${words} (${code})`,
      'If a proxy intercepts TLS, add its certificate to NODE_EXTRA_CA_CERTS; otherwise check the clock of this server.',
      false,
    );
  }
  return failed(
    `could not be reached: ${words}${code === '' || words.includes(code) ? '' : ` (${code})`}`,
    `Check that this server may open connections to it, directly or through HTTPS_PROXY; ${triedAgain}`,
  );
}

export function silentAttempt(milliseconds: number): FailedAttempt {
  return new FailedAttempt(
    `sent no data for ${seconds(milliseconds)}`,
    `The vendor's server or the line is stuck; ${triedAgain}`,
    {
      passing: true,
    },
  );
}

export function slowAttempt(milliseconds: number): FailedAttempt {
  return new FailedAttempt(
    `was not complete after ${seconds(milliseconds)}`,
    `The line or the vendor's server is too slow; ${triedAgain}`,
    {
      passing: false,
    },
  );
}

export function truncatedAttempt(
  received: number,
  announced: number | null,
  cause?: unknown,
): FailedAttempt {
  const of = announced === null ? 'bytes' : `of ${count(announced)} bytes`;
  return new FailedAttempt(
    `broke off after ${count(received)} ${of}`,
    `The connection was lost or the vendor's server stopped; ${triedAgain}`,
    { passing: true, cause },
  );
}

export function unaskedAttempt(): FailedAttempt {
  return new FailedAttempt(
    'answered 304 to a request without a condition',
    'Check whether a proxy serves outdated responses.',
    {
      passing: true,
    },
  );
}

export function brokenAttempt(error: BrokenDocument): FailedAttempt {
  return new FailedAttempt(
    `cannot be read: ${error.problem}`,
    `It was damaged on its way or at the vendor's; ${triedAgain}`,
    {
      passing: true,
      cause: error,
    },
  );
}

export function oversizedAttempt(limit: number): FailedAttempt {
  return new FailedAttempt(
    `has more than the ${count(limit)} bytes that are allowed`,
    'It is not what this feed expects there.',
    {
      passing: false,
    },
  );
}

export function checksumAttempt(algorithm: string, expected: string, got: string): FailedAttempt {
  return new FailedAttempt(
    `has another checksum than the vendor announced (${algorithm} ${got}, expected ${expected})`,
    `It was damaged on its way, or the vendor is publishing at this moment; ${triedAgain}`,
    { passing: true },
  );
}

export function failedAfter(
  url: string,
  last: FailedAttempt,
  attempts: number,
  milliseconds: number,
): FetchFailed {
  const times = attempts === 1 ? '' : ` (${attempts} attempts in ${seconds(milliseconds)})`;
  return new FetchFailed(url, `${last.happened}${times}`, last.advice, { cause: last });
}

export const count = (number: number) => number.toLocaleString('en');
const seconds = (milliseconds: number) =>
  `${milliseconds < 950 ? milliseconds / 1000 : Math.round(milliseconds / 1000)} s`;

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}
