/** Describes in a sentence why a request to an identity provider failed, without secrets: for the log and for administrators. */
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { hasSecretTrace } from '../../platform/secrets/secret-traces.ts';
import { longResponse } from './identity-provider.ts';

interface ProviderFailure {
  /** True when the provider or the network is unavailable; false when the provider's answer is invalid. */
  readonly away: boolean;
  readonly words: string;
}

const networkWords: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be resolved at the moment',
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is broken off',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is signed by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is signed by an authority that is not trusted here',
};

/** @param clientSecret - Which the provider may repeat; null without one. */
export function providerFailure(error: unknown, clientSecret: string | null): ProviderFailure {
  const failure = describeFailure(error);
  return hasSecretTrace(failure.words, clientSecret)
    ? { ...failure, words: 'Its message repeats the client secret and is not shown.' }
    : failure;
}

function describeFailure(error: unknown): ProviderFailure {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
    return invalidReply(
      `It says: ${[error.error, error.error_description].filter(Boolean).join(', ').slice(0, 500)}.`,
    );
  // Servers refuse a client that authenticates by Basic in this way (RFC 6749, 5.2).
  if (error instanceof WWWAuthenticateChallengeError)
    return invalidReply('It does not recognise this service as its client.');
  const code = collectCodes(error);
  const network = code.map((one) => networkWords[one]).find((words) => words !== undefined);
  if (network !== undefined) return { away: true, words: `It cannot be reached: ${network}.` };
  if (code.includes('OAUTH_TIMEOUT'))
    return { away: true, words: 'It cannot be reached: it does not respond in time.' };
  if (code.includes(longResponse)) return invalidReply('Its response is larger than 1 MB.');
  const status =
    error instanceof Error && error.cause instanceof Response ? error.cause.status : null;
  if (status !== null && code.includes('OAUTH_RESPONSE_IS_NOT_CONFORM'))
    return { away: status >= 500, words: `It responds with status ${status}.` };
  if (code.includes('OAUTH_RESPONSE_IS_NOT_JSON'))
    return invalidReply('It responds with a web page instead of JSON.');
  if (error instanceof TypeError && error.message === 'fetch failed')
    return { away: true, words: `It cannot be reached: ${describeError(error)}.` };
  return invalidReply(`Its response is invalid: ${describeError(error)}.`);
}

const invalidReply = (words: string): ProviderFailure => ({ away: false, words });

/** Collects the error codes of the error and its causes. */
function collectCodes(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as Error & { code?: unknown };
  const inner = error instanceof AggregateError ? error.errors.flatMap(collectCodes) : [];
  return [...(typeof code === 'string' ? [code] : []), ...inner, ...collectCodes(error.cause)];
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = error instanceof ClientError || !(error.cause instanceof Error);
  const inner = error.cause instanceof Error ? error.cause : error;
  return (own && inner === error ? error.message : `${error.message} (${inner.message})`).slice(
    0,
    500,
  );
}
