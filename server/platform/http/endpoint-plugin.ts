/** Decorates the app with `endpoint`, which registers the route of an endpoint: it authenticates the caller, validates the input and sends the reply. */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type {
  FastifyInstance,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import { AppError } from '../errors/app-error.ts';
import { type Authenticators, authenticate, type Principal } from './authenticate.ts';
import { endpointRequest, type RawInput, toLoggedInput } from './endpoint-request.ts';
import {
  createEventSender,
  EventStream,
  type EventTimes,
  type SendEvents,
} from './event-stream.ts';
import { fileTypes } from './json-body.ts';
import {
  type AuditedChange,
  type EndpointHandler,
  type RouteRegistrar,
  routePath,
} from './route.ts';
import { sendReply } from './send-reply.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Registers the route of an endpoint on this instance, so that it has the instance's hooks. */
    readonly endpoint: RouteRegistrar;
  }
  interface FastifyRequest {
    /** Null until the caller is authenticated. */
    caller: Principal | null;
  }
}

/** A completed or refused call, for the audit log. */
export interface Action {
  readonly call: Endpoint;
  readonly caller: Principal;
  readonly address: string;
  readonly requestId: string;
  readonly changes: readonly AuditedChange[];
  readonly input: RawInput;
  /** The error of the handler; undefined when it succeeded. */
  readonly failure: unknown;
}

export interface EndpointOptions extends Authenticators {
  /** Awaited before the reply is sent, so that a successful reply means the action is recorded. */
  readonly onAction?: (action: Action) => Promise<void>;
  /** Returns true while a session is valid, without counting as activity. Absent: sessions are always valid. */
  readonly isSessionValid?: (session: string) => Promise<boolean>;
  /** Validates every reply against its call's schema, in development and tests: a mismatch becomes a 500. */
  readonly checkReplies: boolean;
  /** Intervals of event streams. */
  readonly eventTimes?: EventTimes;
}

const decorateWithEndpoint: FastifyPluginAsync<EndpointOptions> = async (root, options) => {
  root.decorateRequest('caller', null);
  // Shared by all instances, so that the streams of a session are counted together.
  const sendEvents = createEventSender(root, {
    isSessionValid: options.isSessionValid ?? (() => Promise.resolve(true)),
    checkReplies: options.checkReplies,
    times: options.eventTimes,
  });
  root.decorate('endpoint', {
    getter(this: FastifyInstance): RouteRegistrar {
      return (call, handler) => void this.route(buildRoute(call, handler, options, sendEvents));
    },
  });
};

/** The plugin is not encapsulated, so that later plugins have `endpoint` on their own instance. */
export const endpointPlugin = fastifyPlugin(decorateWithEndpoint, { name: 'endpoint' });

function buildRoute<C extends Endpoint>(
  call: C,
  handler: EndpointHandler<C>,
  options: EndpointOptions,
  sendEvents: SendEvents,
): RouteOptions {
  return {
    method: call.method,
    url: routePath(call),
    ...(call.once === true && { exposeHeadRoute: false }),
    ...(call.maxBodyBytes !== undefined && { bodyLimit: call.maxBodyBytes }),
    config: {
      receivesFile: call.receives === 'file',
      receivesText: call.receives === 'text',
      receivesGzip: call.receives === 'gzip',
      ...(call.maxBodyValues !== undefined && { maxBodyValues: call.maxBodyValues }),
      secretParams: call.secretParams ?? [],
      errors: call.errors ?? 'problem',
      ...(call.rateLimit && {
        rateLimit: { max: call.rateLimit.perMinute, timeWindow: 60_000 },
      }),
    },
    // Runs before the body is read, so that unauthorized callers cost no reading.
    onRequest: async (request, reply) => {
      request.caller = await authenticate(call, request.headers.authorization, request.ip, options);
      if (call.receives === 'file') requireFile(request, reply);
    },
    handler: async (request, reply) => {
      const { caller } = request;
      if (caller === null)
        throw new Error('A call reached its handler before its caller was admitted');
      const result = await recordAction(call, caller, request, options.onAction, (changed) =>
        handler(
          endpointRequest(call, { request, reply, caller, authenticators: options }, changed),
        ),
      );
      if (result instanceof EventStream)
        return sendEvents(call, result, caller.session ?? '', reply);
      return sendReply(
        reply.status(call.status ?? 200),
        result,
        options.checkReplies ? call : null,
      );
    },
  };
}

/** Runs a handler and reports the action, also when it failed or the input was refused. */
async function recordAction<Reply>(
  call: Endpoint,
  caller: Principal,
  request: FastifyRequest,
  onAction: EndpointOptions['onAction'],
  run: (changed: (change: AuditedChange) => void) => Promise<Reply>,
): Promise<Reply> {
  const changes: AuditedChange[] = [];
  const action = {
    call,
    caller,
    address: request.ip,
    requestId: request.id,
    changes,
    input: toLoggedInput(call, request),
  };
  let result: Reply;
  try {
    result = await run((change) => void changes.push(change));
  } catch (failure) {
    await onAction?.({ ...action, failure });
    throw failure;
  }
  await onAction?.({ ...action, failure: undefined });
  return result;
}

/** Closes the connection after a refused upload, so that nobody sends for hours. */
function requireFile({ headers }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  if (fileTypes.includes(headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''))
    return;
  throw new AppError(
    'wrong_content_type',
    `The body must be a file: send it with Content-Type: ${fileTypes[0]}.`,
  );
}
