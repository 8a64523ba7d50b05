/** Creates the HTTP server without calls: limits, security headers, request ids, access log and error replies. */
import { setTimeout as pause } from 'node:timers/promises';
import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import { errorCode } from '@patch/contract/error-code.ts';
import type { Problem } from '@patch/contract/problem.ts';
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
import { compressReplies } from './compress-replies.ts';
import { readCompressedBodies } from './compressed-bodies.ts';
import { maxBodyBytes, toFailure } from './failure-of.ts';
import { readJsonBodies } from './json-body.ts';
import { limitReceiving } from './receiving-time.ts';
import { rpcFailure } from './rpc-failure.ts';
import { securityHeaders } from './security-headers.ts';
import { limitSending } from './sending-time.ts';
import { newRequestId, rejectUnreadable } from './unreadable-request.ts';

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
