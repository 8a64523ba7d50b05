/** Creates the HTTP server without calls: limits, security headers, request ids, access log and error replies. */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { errorCode } from '@patch/contract/base/error-code.ts';
import type { Problem } from '@patch/contract/base/problem.ts';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { Log } from '../logging/logging.ts';
import { logAccess } from './access-log.ts';
import { compressReplies, readCompressedBodies } from './compression.ts';
import { maxBodyBytes, rpcFailure, toFailure } from './failure-of.ts';
import { readJsonBodies } from './json-body.ts';
import { securityHeaders } from './security-headers.ts';
import { limitReceiving, limitSending } from './transfer-times.ts';

/** How long the refusal of a caller who asks too often waits. */
const tooManyPauseMs = 50;

export interface WebServerOptions {
  readonly log: Log;
  readonly trustProxy: false | number | string;
}

export async function webServer({ log, trustProxy }: WebServerOptions): Promise<FastifyInstance> {
  const replyToFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = toFailure(error, request.routeOptions.bodyLimit);
    if (failure.isServerFault) log.error({ requestId: request.id, err: error }, 'request failed');
    const { status, code, userMessage, headers } = failure;
    const problem: Problem = { userMessage, code, requestId: request.id };
    if (!request.raw.complete) drainBody(reply);
    // Headers are set again here, since failures before routing have run no hook.
    reply.headers({ ...headers, 'x-request-id': request.id, 'cache-control': 'no-store' });
    if (request.routeOptions.config?.errors !== 'rpc') return reply.status(status).send(problem);
    const rpc = rpcFailure(failure, request.id);
    return reply.status(rpc.status).send(rpc.body);
  };

  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    clientErrorHandler: rejectUnreadable(log),
    requestIdHeader: false,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    bodyLimit: maxBodyBytes,
    // Exceeds the idle timeout of load balancers, 60 s, so that they close idle connections first.
    keepAliveTimeout: 72_000,
    // While stopping, requests on open connections are served and the connections closed; new ones are refused.
    return503OnClosing: false,
    // limitReceiving limits the time instead, since files take longer than other requests.
    requestTimeout: 0,
    routerOptions: { maxParamLength: 300 },
    frameworkErrors: (error, request, reply) => void replyToFailure(error, request, reply),
  });
  app.setErrorHandler(async (error, request, reply) => {
    // Who asks too often and again without a pause would take the time of others with requests that are refused.
    if (errorCode(error) === 'too_many_requests') await pause(tooManyPauseMs);
    return replyToFailure(error, request, reply);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (isCall(request.url)) reply.header('cache-control', 'no-store');
  });
  limitReceiving(app);
  limitSending(app);
  logAccess(app, log);
  readCompressedBodies(app);
  readJsonBodies(app);
  compressReplies(app);
  await app.register(helmet, securityHeaders);
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError(
        'too_many_requests',
        `Too many requests from this address. Try again in ${Math.ceil(ttl / 1000)} seconds.`,
      ),
  });
  return app;
}

/**
 * Reads and drops the rest of the body, up to the limit of `limitReceiving`: a caller that is still sending when the connection closes
 * would never receive the reply.

 */
function drainBody(reply: FastifyReply): void {
  reply.removeHeader('connection');
  reply.raw.shouldKeepAlive = true;
}

export const isCall = (url: string) => url.startsWith('/api/') || url === '/api';

/** Not imported: an import would read every export, including an unused HTTP client, which takes 100 ms of the start. */
const { maxHeaderSize } = process.getBuiltinModule('node:http');

/** Returns ten random hexadecimal digits of a UUID. Node caches random bytes for UUIDs, which is ten times faster than generating five. */
const newRequestId = (): string => randomUUID().replace('-', '').slice(0, 10);

interface Unreadable {
  readonly status: '400 Bad Request' | '413 Content Too Large';
  readonly code: string;
  readonly userMessage: string;
}

/** Replies by the codes of Node's parser. */
const byCode: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: '413 Content Too Large',
    code: 'too_large',
    userMessage: `The address and the headers may have at most ${maxHeaderSize / 1024} KiB together. Send less.`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '400 Bad Request',
    code: 'too_slow',
    userMessage: 'The headers of the request did not arrive in time. Send it again.',
  },
};

const unreadable: Unreadable = {
  status: '400 Bad Request',
  code: 'bad_request',
  userMessage: 'This is not a valid HTTP request. Check its address and headers.',
};

/** Replies to data that is not a valid HTTP request. Closes the connection too, since the begin of the next request is unknown. */
function rejectUnreadable(
  log: Pick<Log, 'info'>,
): (error: Error & { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const requestId = newRequestId();
    const { status, code, userMessage } = byCode[error.code ?? ''] ?? unreadable;
    // The bytes are not logged, since they may contain a token.
    log.info(
      {
        requestId,
        reason: error.code,
        status: Number(status.slice(0, 3)),
        address: socket.remoteAddress,
      },
      'unreadable request',
    );
    if (!socket.writable) return void socket.destroy();
    const problem: Problem = { userMessage, code, requestId };
    const body = JSON.stringify(problem);
    const headers = [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'Connection: close',
    ];
    socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
    // Closes the connection even if the caller continues to send.
    socket.destroySoon();
  };
}
