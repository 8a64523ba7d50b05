/** Makes `answer`: a route for each call, which admits the caller, checks what was sent, and sends what the handler replies. */
import type { Call } from '@patch/contract/call.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Answer, type Change, FileStream, type Handler, JsonText } from './answer.ts';
import { EventStream } from './event-stream.ts';
import { readInput } from './read-input.ts';
import { type EventTimes, eventSender } from './send-events.ts';
import { admit, type Caller, type Doors } from './signed-in.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the caller is admitted. */
    caller: Caller | null;
  }
}

/** A call that was answered, or refused, for the audit log. */
export interface Action {
  readonly call: Call;
  readonly caller: Caller;
  readonly address: string;
  readonly requestId: string;
  readonly changes: readonly Change[];
  /** What the handler threw; undefined when it was done. */
  readonly failure: unknown;
}

export interface AnswerOptions extends Doors {
  /** Waited for before the reply is sent: what was answered is on record. */
  readonly onAction?: (action: Action) => Promise<void>;
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
  app.decorateRequest('caller', null);
  const sendEvents = eventSender(app, {
    sessionHolds: options.sessionHolds ?? (() => Promise.resolve(true)),
    checkReplies: options.checkReplies,
    times: options.eventTimes,
  });

  async function recorded<Answered>(
    call: Call,
    who: Pick<Action, 'caller' | 'address' | 'requestId'>,
    run: (changed: (change: Change) => void) => Promise<Answered>,
  ): Promise<Answered> {
    const changes: Change[] = [];
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

  return <C extends Call>(call: C, handler: Handler<C>) => {
    const limit = options.limits[call.name];
    app.route({
      method: call.method,
      url: routePath(call),
      ...(limit !== undefined && { config: { rateLimit: { max: limit, timeWindow: 60_000 } } }),
      // Before the body is read: who may not send one shall not make us read it.
      onRequest: async (request) => {
        request.caller = await admit(call, request.headers.authorization, request.ip, options);
      },
      handler: async (request, reply) => {
        const { caller } = request;
        if (caller === null) throw new Error('A call reached its handler before its caller was admitted');
        const answered = await recorded(call, { caller, address: request.ip, requestId: request.id }, (changed) =>
          handler({
            params: readInput<C['params']>('path', call.params, request.params),
            query: readInput<C['query']>('query', call.query, request.query),
            body: readInput<C['body']>('body', call.body, request.body),
            user: caller.user,
            session: caller.session,
            client: caller.client,
            address: request.ip,
            requestId: request.id,
            changed,
          }),
        );
        if (answered instanceof EventStream) return sendEvents(call, answered, caller.session ?? '', reply);
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
