/** Makes `answer`: a route for each call, which admits the caller, checks what was sent, and sends what the handler replies. */
import type { Call } from '@patch/contract/call.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Answer, FileStream, type Handler, JsonText } from './answer.ts';
import { EventStream } from './event-stream.ts';
import { readInput } from './read-input.ts';
import { type EventTimes, eventSender } from './send-events.ts';
import { admit, type FindSession, type SignedIn } from './signed-in.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the caller is admitted, and on public calls. */
    signedIn: SignedIn | null;
  }
}

export interface AnswerOptions {
  readonly findSession: FindSession;
  /** Whether a session still holds, without counting as its use; always, when absent. */
  readonly sessionHolds?: (session: string) => Promise<boolean>;
  /** Hold every reply against its call's schema, in development and tests: a mismatch is a 500. */
  readonly checkReplies: boolean;
  /** Requests a minute from one address, by call name. */
  readonly limits: Readonly<Record<string, number>>;
  /** How often streams of events do what they do. */
  readonly eventTimes?: EventTimes;
}

export function answerCalls(app: FastifyInstance, options: AnswerOptions): Answer {
  app.decorateRequest('signedIn', null);
  const sendEvents = eventSender(app, {
    sessionHolds: options.sessionHolds ?? (() => Promise.resolve(true)),
    checkReplies: options.checkReplies,
    times: options.eventTimes,
  });

  return <C extends Call>(call: C, handler: Handler<C>) => {
    const limit = options.limits[call.name];
    app.route({
      method: call.method,
      url: routePath(call),
      ...(limit !== undefined && { config: { rateLimit: { max: limit, timeWindow: 60_000 } } }),
      // Before the body is read: who may not send one shall not make us read it.
      onRequest: async (request) => {
        request.signedIn = await admit(call, request.headers.authorization, options.findSession);
      },
      handler: async (request, reply) => {
        const answered = await handler({
          params: readInput<C['params']>('path', call.params, request.params),
          query: readInput<C['query']>('query', call.query, request.query),
          body: readInput<C['body']>('body', call.body, request.body),
          user: request.signedIn?.user ?? null,
          session: request.signedIn?.session ?? null,
          address: request.ip,
          requestId: request.id,
        });
        if (answered instanceof EventStream) return sendEvents(call, answered, request.signedIn?.session ?? '', reply);
        return send(reply.status(call.status ?? 200), answered, options.checkReplies ? call : null);
      },
    });
  };
}

/** /windows/kb/{id} is /api/windows/kb/:id to the router. */
export function routePath(call: Call): string {
  return `/api${call.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

function send(reply: FastifyReply, answered: unknown, check: Call | null) {
  if (answered instanceof FileStream) {
    reply.header('content-disposition', `attachment; filename="${answered.name}"`).header('cache-control', 'no-store');
    return reply.type(answered.type).send(answered.body);
  }
  reply.type('application/json; charset=utf-8');
  if (answered instanceof JsonText) return reply.send(typeof answered.text === 'string' ? answered.text : bufferOf(answered.text));
  if (check !== null) {
    const checked = check.reply.safeParse(answered);
    if (!checked.success) throw new Error(`The reply of ${check.name} is not as the contract says`, { cause: checked.error });
  }
  return reply.send(JSON.stringify(answered));
}

/** The same bytes, not a copy. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);
