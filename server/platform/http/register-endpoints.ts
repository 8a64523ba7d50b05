/** Makes `answer`: registers a route for each call, which authenticates the caller, validates the input, and sends the handler's reply. */
import { Readable } from 'node:stream';
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './api-error.ts';
import { assertStorableText } from './assert-storable-text.ts';
import {
  type Authenticators,
  authenticate,
  type Principal,
  requireProof,
  seesRestricted,
} from './authenticate.ts';
import { EventStream } from './event-stream.ts';
import { fileTypes } from './json-body.ts';
import { readInput } from './read-input.ts';
import {
  type AuditedChange,
  type EndpointHandler,
  FileStream,
  JsonText,
  KeptImage,
  Redirect,
  type RouteRegistrar,
  Unchanged,
} from './route.ts';
import { type EventTimes, eventSender } from './send-events.ts';

declare module 'fastify' {
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
  /** As it was sent, not validated. */
  readonly input: { readonly params: unknown; readonly query: unknown; readonly body: unknown };
  /** What the handler threw; undefined when it succeeded. */
  readonly failure: unknown;
}

export interface EndpointOptions extends Authenticators {
  /** Awaited before the reply is sent, so that a successful reply means the action is recorded. */
  readonly onAction?: (action: Action) => Promise<void>;
  /** Whether a session is still valid, without counting as activity; always, when absent. */
  readonly sessionHolds?: (session: string) => Promise<boolean>;
  /** Validate every reply against its call's schema, in development and tests: a mismatch is a 500. */
  readonly checkReplies: boolean;
  /** Intervals of event streams. */
  readonly eventTimes?: EventTimes;
}

export function registerEndpoints(app: FastifyInstance, options: EndpointOptions): RouteRegistrar {
  app.decorateRequest('caller', null);
  const sendEvents = eventSender(app, {
    sessionHolds: options.sessionHolds ?? (() => Promise.resolve(true)),
    checkReplies: options.checkReplies,
    times: options.eventTimes,
  });

  async function recorded<Answered>(
    call: Endpoint,
    who: Pick<Action, 'caller' | 'address' | 'requestId' | 'input'>,
    run: (changed: (change: AuditedChange) => void) => Promise<Answered>,
  ): Promise<Answered> {
    const changes: AuditedChange[] = [];
    const keep = (failure: unknown) => options.onAction?.({ call, ...who, changes, failure });
    let answered: Answered;
    try {
      answered = await run((change) => void changes.push(change));
    } catch (failure) {
      await keep(failure);
      throw failure;
    }
    await keep(undefined);
    return answered;
  }

  return <C extends Endpoint>(call: C, handler: EndpointHandler<C>) => {
    app.route({
      method: call.method,
      url: routePath(call),
      config: {
        receivesFile: call.receives === 'file',
        secretParams: call.secretParams ?? [],
        ...(call.rateLimit && {
          rateLimit: { max: call.rateLimit.perMinute, timeWindow: 60_000 },
        }),
      },
      // Before the body is read: unauthorized callers must not cost us reading one.
      onRequest: async (request, reply) => {
        request.caller = await authenticate(
          call,
          request.headers.authorization,
          request.ip,
          options,
        );
        if (call.receives === 'file') expectFile(request, reply);
      },
      handler: async (request, reply) => {
        const { caller } = request;
        if (caller === null)
          throw new Error('A call reached its handler before its caller was admitted');
        const input = {
          params: request.params,
          query: request.query,
          body: call.receives === 'file' ? undefined : request.body,
        };
        const changes = call.method !== 'GET' && call.reads !== true;
        const answered = await recorded(
          call,
          { caller, address: request.ip, requestId: request.id, input },
          (changed) => {
            const params = readInput<C['params']>('path', call.params, input.params);
            const query = readInput<C['query']>('query', call.query, input.query);
            const body = readInput<C['body']>('body', call.body, input.body);
            // After the schemas, whose messages about a field are more specific.
            if (changes)
              for (const part of [input.params, input.query, input.body]) assertStorableText(part);
            return handler({
              params,
              query,
              body,
              user: caller.user,
              session: caller.session,
              client: caller.client,
              seesRestricted: seesRestricted(caller),
              byProvider: caller.byProvider,
              requireProof: (scope) => requireProof(caller, scope),
              address: request.ip,
              userAgent: request.headers['user-agent']?.slice(0, 400) ?? '',
              requestId: request.id,
              signal: closedEarly(reply),
              cookie: (name) => cookieOf(request, name),
              knows: (tag) => knows(request, tag),
              upload: call.receives === 'file' ? uploadOf(request.body) : null,
              changed,
            });
          },
        );
        if (answered instanceof EventStream)
          return sendEvents(call, answered, caller.session ?? '', reply);
        return send(reply.status(call.status ?? 200), answered, options.checkReplies ? call : null);
      },
    });
  };
}

/** A refused upload is not read to its end: the connection is closed, so that no one keeps sending for hours. */
function expectFile({ headers }: FastifyRequest, reply: FastifyReply): void {
  reply.header('connection', 'close');
  if (fileTypes.includes(headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''))
    return;
  throw new ApiError(
    422,
    'wrong_content_type',
    `The body must be a file: send it with Content-Type: ${fileTypes[0]}.`,
  );
}

/** A request without a content type has no body to read. */
function uploadOf(body: unknown): Readable {
  return body instanceof Readable ? body : Readable.from([]);
}

function closedEarly({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  if (raw.destroyed) closed.abort();
  else raw.once('close', () => (raw.writableFinished ? undefined : closed.abort()));
  return closed.signal;
}

/** Not decoded: our cookies hold no characters that need encoding. */
function cookieOf({ headers }: FastifyRequest, name: string): string | null {
  const pairs = (headers.cookie ?? '').split(/; */);
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}

/** Converts /windows/kb/{id} to the router's /api/windows/kb/:id. */
export function routePath(call: Endpoint): string {
  return `/api${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

function send(reply: FastifyReply, answered: unknown, check: Endpoint | null) {
  if (answered instanceof Redirect)
    return reply.headers(answered.headers).redirect(answered.location, 302);
  if (answered instanceof FileStream) {
    reply
      .header('content-disposition', `attachment; filename="${answered.name}"`)
      .header('cache-control', 'no-store');
    if (answered.bytes !== null) reply.header('content-length', answered.bytes);
    return reply.type(answered.type).send(answered.body);
  }
  if (answered instanceof KeptImage) return sendKept(reply, answered);
  if (answered instanceof Unchanged) return tagged(reply, answered.tag).status(304).send();
  reply.type('application/json; charset=utf-8');
  if (answered instanceof JsonText && answered.tag !== null) tagged(reply, answered.tag);
  if (answered instanceof JsonText)
    return reply.send(typeof answered.text === 'string' ? answered.text : bufferOf(answered.text));
  if (check !== null) {
    const checked = check.reply.safeParse(answered);
    if (!checked.success)
      throw new Error(`The reply of ${check.name} does not match the contract`, {
        cause: checked.error,
      });
  }
  return reply.send(JSON.stringify(answered));
}

function sendKept(reply: FastifyReply, { name, bytes }: KeptImage) {
  reply.headers({ etag: `"${name}"`, 'cache-control': 'public, max-age=31536000, immutable' });
  if (knows(reply.request, name)) return reply.status(304).send();
  return reply.type('image/png').send(bufferOf(bytes));
}

function knows({ headers }: FastifyRequest, tag: string): boolean {
  return (headers['if-none-match'] ?? '')
    .split(/, */)
    .some((one) => one === '*' || one.replace(/^W\//, '') === `"${tag}"`);
}

/** The ETag covers the reply's content, compressed or not. */
function tagged(reply: FastifyReply, tag: string) {
  return reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' });
}

/** The same bytes, not a copy. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);
