/** Converts an error to the status and message of the reply; an unexpected error becomes a generic 500. No other table has statuses. */
import { errorCode } from '@patch/contract/base/error-code.ts';
import { FilterError } from '@patch/contract/filter/filter-conditions.ts';
import type { DatabaseError } from '../database/database-error.ts';
import { findDatabaseUnavailable, isDiskFull } from '../database/database-unavailable.ts';
import { AppError } from '../errors/app-error.ts';
import {
  type AppErrorCode,
  errorKinds,
  type LastingKind,
  type TemporaryKind,
} from '../errors/error-codes.ts';

export interface Failure {
  readonly status: ErrorStatus;
  readonly code: string;
  readonly userMessage: string;
  readonly headers: Readonly<Record<string, string>>;
  /** True if the server is at fault; the error is then logged with its stack. */
  readonly isServerFault: boolean;
}

export const maxBodyBytes = 256 * 1024;

/** @param bodyLimit - Limit of the call's body in bytes. */
export function toFailure(error: unknown, bodyLimit = maxBodyBytes): Failure {
  if (error instanceof AppError) return reply(error.code, error.message, errorHeaders(error));
  if (error instanceof FilterError) return reply(error.code, error.message);
  const code = errorCode(error) ?? '';
  const unavailable = findDatabaseUnavailable(error);
  if (unavailable !== null) {
    const isFull = unavailable.code === 'pool_full';
    const userMessage = isFull ? unavailable.message : outageMessage(unavailable);
    return {
      ...reply(isFull ? 'busy' : 'database_unavailable', userMessage, { 'retry-after': '5' }),
      isServerFault: true,
    };
  }
  if (isDiskFull(error)) {
    const userMessage = 'The disk of the server is full. Ask your administrator to free space.';
    return { ...reply('disk_full', userMessage), isServerFault: true };
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return reply(
      'too_large',
      `The body may have at most ${bodyLimit / 1024} KiB. Send less at once.`,
    );
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return toFailure(wrongContentType());
  const callerStatus = clientErrorStatus(error);
  if (callerStatus === 403 || callerStatus === 404)
    return reply('not_found', 'There is nothing at this address.');
  if (callerStatus !== null)
    return reply('bad_request', 'The request cannot be read. Check its address and headers.');
  return {
    ...reply(
      'internal_error',
      'Something went wrong on the server. Try again; if the problem persists, give the request id to your administrator.',
    ),
    isServerFault: true,
  };
}

const outageMessage = ({ code }: DatabaseError): string =>
  code === 'commit_unknown'
    ? 'The database stopped responding while it stored the change, which may be stored or not. Check the result before you try again.'
    : 'The database is not responding. Try again in a moment.';

function reply(
  code: ReplyErrorCode,
  userMessage: string,
  headers: Failure['headers'] = {},
): Failure {
  return {
    status: errorStatus[code],
    code: wireCode(code),
    userMessage,
    headers,
    isServerFault: false,
  };
}

export const wrongContentType = (receivesText = false) =>
  new AppError(
    'wrong_content_type',
    receivesText
      ? 'The body must be plain text or JSON: send it with Content-Type: text/plain or application/json.'
      : 'The body must be JSON: send it with Content-Type: application/json.',
  );

/** Returns the status of an error that fastify or a plugin attributes to the caller, else null. */
function clientErrorStatus(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  const { statusCode } = error as { readonly statusCode?: unknown };
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? statusCode
    : null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly errors?: 'rpc' | 'problem';
  }
}

/** @see https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
const codes: Readonly<Record<ErrorStatus, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  409: 9,
  413: 3,
  422: 3,
  429: 8,
  500: 13,
  503: 14,
};

/**
 * Converts a failure to the form of osv.dev. Replies to invalid input with 400, where the rest of the API uses 422.
 * @see https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto
 */
export function rpcFailure({ status, code, userMessage }: Failure, requestId: string) {
  return {
    status: status === 422 ? 400 : status,
    body: {
      code: codes[status],
      message: userMessage,
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: code,
          domain: 'patch-repository',
          metadata: { requestId },
        },
      ],
    },
  };
}

const statusOfKind = {
  absent: 404,
  conflict: 409,
  forbidden: 403,
  invalid: 422,
  too_large: 413,
  too_many: 429,
  unauthenticated: 401,
  unavailable: 503,
  unreadable: 400,
} as const satisfies Readonly<Record<LastingKind | TemporaryKind, number>>;

/** Failures that the HTTP server detects itself, and that no code throws. */
const serverStatus = { bad_request: 400, database_unavailable: 503, internal_error: 500 } as const;

export type ReplyErrorCode = AppErrorCode | keyof typeof serverStatus;
type ErrorStatus = (typeof statusOfKind)[LastingKind | TemporaryKind] | 500;

export const errorStatus = {
  ...Object.fromEntries(
    Object.entries(errorKinds).map(([code, kind]) => [code, statusOfKind[kind]]),
  ),
  ...serverStatus,
} as Readonly<Record<ReplyErrorCode, ErrorStatus>>;

/** Public codes of errors that share one code but differ in status or headers. The key is the code inside the server. */
const wireCodes: Partial<Record<ReplyErrorCode, AppErrorCode>> = {
  no_formats_key: 'not_signed_in',
  picture_file_too_large: 'picture_too_large',
  proof_otp_required: 'otp_required',
  proof_otp_wrong: 'otp_wrong',
  unknown_download_run: 'no_such_run',
  unknown_session: 'session_ended',
};

export const wireCode = (code: ReplyErrorCode): string => wireCodes[code] ?? code;

/** Authentication schemes for errors about missing or invalid credentials. */
const challenges: Partial<Record<AppErrorCode, string>> = {
  metrics_not_allowed: 'Bearer',
  no_client_token: 'Apikey',
  // zypper sends its password only after this challenge.
  no_formats_key: 'Basic realm="Patch Repository"',
  not_signed_in: 'Apikey',
  unknown_api_key: 'Apikey',
  unknown_session: 'Apikey',
};

function errorHeaders({
  code,
  retryAfterSeconds,
}: Pick<AppError, 'code' | 'retryAfterSeconds'>): Readonly<Record<string, string>> {
  const challenge = challenges[code];
  return {
    ...(retryAfterSeconds !== null && { 'retry-after': String(retryAfterSeconds) }),
    ...(challenge !== undefined && { 'www-authenticate': challenge }),
  };
}
