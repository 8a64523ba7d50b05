/** Sends event streams. A stream ends when its caller disconnects, its session ends or the service stops. */
import { finished, Readable } from 'node:stream';
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { type EventStream, eventText, type ServerEvent } from './event-stream.ts';

export interface SendEventsOptions {
  /** Returns true while a session is valid, without counting as activity. */
  readonly isSessionValid: (session: string) => Promise<boolean>;
  readonly checkReplies: boolean;
  readonly times?: EventTimes | undefined;
}

/** Milliseconds. */
export interface EventTimes {
  readonly heartbeatMs: number;
  /** Time between two checks of the session. */
  readonly sessionCheckMs: number;
  /** Time for a reader to receive remaining data after the end of its stream. */
  readonly drainMs: number;
}

const defaultTimes: EventTimes = { heartbeatMs: 15_000, sessionCheckMs: 30_000, drainMs: 1_000 };
const maxStreams = 10;

export type SendEvents = (
  call: Endpoint,
  stream: EventStream,
  session: string,
  reply: FastifyReply,
) => FastifyReply;

interface OpenStream {
  readonly session: string;
  end(): void;
}

export function createEventSender(
  app: FastifyInstance,
  { isSessionValid, checkReplies, times = defaultTimes }: SendEventsOptions,
): SendEvents {
  const open = new Set<OpenStream>();
  let stopping = false;
  // Runs before the server waits for connections to end, since streams do not end by themselves.
  app.addHook('preClose', async () => {
    stopping = true;
    for (const stream of open) stream.end();
  });

  return (call, stream, session, reply) => {
    if (stopping)
      throw new AppError('stopping', 'The service is being stopped. Try again in a moment.');
    // Limited because each stream occupies a connection.
    if ([...open].filter((other) => other.session === session).length >= maxStreams)
      throw new AppError(
        'too_many_streams',
        `This session already has ${maxStreams} open event streams. Close one first.`,
        { retryAfterSeconds: times.sessionCheckMs / 1000 },
      );

    const ended = new AbortController();
    let drainTimer: NodeJS.Timeout | undefined;
    const own: OpenStream = {
      session,
      end() {
        ended.abort();
        // A caller that reads nothing would never receive the end.
        drainTimer ??= setTimeout(() => reply.raw.destroy(), times.drainMs);
      },
    };
    // A timer checks the session independently of the reader's speed.
    const sessionChecks = setInterval(() => {
      // A database outage does not end the stream.
      isSessionValid(session).then(
        (isValid) => void (isValid || own.end()),
        () => undefined,
      );
    }, times.sessionCheckMs);
    open.add(own);
    // Is called also if the caller disconnected earlier.
    finished(reply.raw, () => {
      open.delete(own);
      clearInterval(sessionChecks);
      clearTimeout(drainTimer);
      ended.abort();
    });

    const text = eventText(stream, {
      signal: ended.signal,
      heartbeat: times.heartbeatMs,
      ...(checkReplies && { check: (event: ServerEvent) => void call.reply.parse(event) }),
    });
    // Prevents proxies from buffering the lines.
    reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .type('text/event-stream; charset=utf-8');
    const body = Readable.from(text);
    body.once('error', (err) => {
      if (reply.raw.headersSent)
        reply.log.error({ requestId: reply.request.id, err }, 'an event stream failed');
    });
    return reply.send(body);
  };
}
