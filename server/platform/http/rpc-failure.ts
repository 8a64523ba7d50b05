/** Converts failures to the form of osv.dev's API: an HTTP status, and a gRPC code with a message. */
import type { ErrorStatus } from './error-status.ts';
import type { Failure } from './failure-of.ts';

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

/** @see https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto */
interface ErrorInfo {
  readonly '@type': 'type.googleapis.com/google.rpc.ErrorInfo';
  /** The code that the rest of the API has for the failure. */
  readonly reason: string;
  readonly domain: 'patch-repository';
  readonly metadata: { readonly requestId: string };
}

export interface RpcFailure {
  readonly status: number;
  readonly body: {
    readonly code: number;
    readonly message: string;
    readonly details: readonly [ErrorInfo];
  };
}

/** Replies to invalid input with 400, where the rest of the API uses 422. */
export function rpcFailure({ status, code, userMessage }: Failure, requestId: string): RpcFailure {
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
