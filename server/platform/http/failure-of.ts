/** Converts an error to the status and message of the reply; an unexpected error becomes a generic 500. */
import { errorCode } from '@patch/contract/error-code.ts';
import { FilterError } from '@patch/contract/filter/filter-conditions.ts';
import type { DatabaseError } from '../database/database-error.ts';
import { findDatabaseUnavailable, isDiskFull } from '../database/database-unavailable.ts';
import { AppError } from '../errors/app-error.ts';
import {
  type ErrorStatus,
  errorHeaders,
  errorStatus,
  type ReplyErrorCode,
  wireCode,
} from './error-status.ts';

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
