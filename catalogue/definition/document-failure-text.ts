/** Sentences for administrators that say why a vendor's document cannot be read, with the likely cause and the next step. */
import { formatCount, formatSeconds, type MessageTexts, messageText } from './coded-message.ts';
import type { DocumentFailure, FetchProblem } from './document-failure.ts';

/** One or more sentences; each names the address. */
export function documentFailureText(failure: DocumentFailure): string {
  return messageText(failureTexts, failure);
}

/** Continues a sentence that begins with the address: 'answered 503'. */
export function fetchProblemText(problem: FetchProblem): string {
  return messageText(problemTexts, problem);
}

const failureTexts: MessageTexts<DocumentFailure> = {
  not_fetched: ({ url, problem, attempts, milliseconds }) => {
    const times = attempts === 1 ? '' : ` (${attempts} attempts in ${formatSeconds(milliseconds)})`;
    return `${url} ${fetchProblemText(problem)}${times}. ${messageText(adviceTexts, problem)}`;
  },
  not_published: ({ url }) => `${url} is not published (not found).`,
  unreadable: ({ url, problem }) => `${url} cannot be read: ${problem}.`,
};

const problemTexts: MessageTexts<FetchProblem> = {
  status: ({ status }) => `answered ${status}`,
  unresolved: () => 'could not be looked up: its host name does not resolve',
  untrusted: ({ reason }) => `was not trusted: ${reason}`,
  unreachable: ({ reason }) => `could not be reached: ${reason}`,
  silent: ({ milliseconds }) => `sent no data for ${formatSeconds(milliseconds)}`,
  slow: ({ milliseconds }) => `was not complete after ${formatSeconds(milliseconds)}`,
  truncated: ({ received, announced }) =>
    `broke off after ${formatCount(received)} ${announced === null ? 'bytes' : `of ${formatCount(announced)} bytes`}`,
  unasked_not_modified: () => 'answered 304 to a request without a condition',
  unreadable: ({ problem }) => `cannot be read: ${problem}`,
  oversized: ({ limit }) => `has more than the ${formatCount(limit)} bytes that are allowed`,
  checksum: ({ algorithm, received, expected }) =>
    `has another checksum than the vendor announced (${algorithm} ${received}, expected ${expected})`,
  too_many_redirects: ({ redirects }) => `redirects more than ${redirects} times`,
  redirect_without_address: ({ target }) => `redirects to '${target}', which is not an address`,
  redirect_not_encrypted: ({ target }) => `redirects to ${target}, which is not encrypted`,
  redirect_to_other_host: ({ target, hosts }) =>
    `redirects to ${target}, a host that is not allowed (allowed: ${hosts})`,
  not_http: () => 'is not an http(s) address',
  not_in_mirror: () => 'is not an address that a mirror can serve',
  no_longer_published: () => 'is no longer published',
};

const triedAgain = 'the next sync tries again.';
const notFollowed =
  'The redirect is not followed; check whether a proxy responds instead of the vendor.';

const adviceTexts: MessageTexts<FetchProblem> = {
  status: ({ status }) => adviceOnStatus(status),
  unresolved: () => "Check this server's DNS and network; in a closed network set FEED_MIRROR.",
  untrusted: () =>
    'If a proxy intercepts TLS, add its certificate to NODE_EXTRA_CA_CERTS; otherwise check the clock of this server.',
  unreachable: () =>
    `Check that this server may open connections to it, directly or through HTTPS_PROXY; ${triedAgain}`,
  silent: () => `The vendor's server or the line is stuck; ${triedAgain}`,
  slow: () => `The line or the vendor's server is too slow; ${triedAgain}`,
  truncated: () => `The connection was lost or the vendor's server stopped; ${triedAgain}`,
  unasked_not_modified: () => 'Check whether a proxy serves outdated responses.',
  unreadable: () => `It was damaged on its way or at the vendor's; ${triedAgain}`,
  oversized: () => 'It is not what this feed expects there.',
  checksum: () =>
    `It was damaged on its way, or the vendor is publishing at this moment; ${triedAgain}`,
  too_many_redirects: () => notFollowed,
  redirect_without_address: () => notFollowed,
  redirect_not_encrypted: () => notFollowed,
  redirect_to_other_host: () => notFollowed,
  not_http: () => notFollowed,
  not_in_mirror: () => 'It was not read.',
  no_longer_published: () => 'Its records are kept as they are.',
};

function adviceOnStatus(status: number): string {
  if (status === 429) return `The vendor limits the number of requests; ${triedAgain}`;
  if (status >= 500 || status === 408 || status === 425)
    return `The vendor's server is overloaded or down; ${triedAgain}`;
  if (status === 407) return 'The proxy requires a password: set it in HTTPS_PROXY.';
  if (status === 401 || status === 403)
    return 'The vendor, or a proxy or firewall on the way, refuses this server: open the address from here to see who answers.';
  return 'The vendor has probably moved or changed this document: check whether a newer version of this program knows its new address.';
}
