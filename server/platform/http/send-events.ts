/** Keeps the streams of events that are open: each ends when its caller leaves, when the session ends and when the service stops. */
import { finished, Readable } from 'node:stream';
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { type EventStream, eventText, type ServerEvent } from './event-stream.ts';

export interface SendEventsOptions {
  /** Whether a session still holds, without counting as its use. */
  readonly sessionHolds: (session: string) => Promise<boolean>;
  readonly checkReplies: boolean;
  readonly times?: EventTimes | undefined;
}

/** Milliseconds. */
export interface EventTimes {
  readonly heartbeat: number;
  /** Between two questions whether the session still holds. */
  readonly holdsAsked: number;
  /** For a reader to take what is left, once its stream ends. */
  readonly takingLeave: number;
}

const usualTimes: EventTimes = { heartbeat: 15_000, holdsAsked: 30_000, takingLeave: 1_000 };
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

export function eventSender(
  app: FastifyInstance,
  { sessionHolds, checkReplies, times = usualTimes }: SendEventsOptions,
): SendEvents {
  const open = new Set<OpenStream>();
  let stopping = false;
  // Before the server waits for its connections to end: these do not end by themselves.
  app.addHook('preClose', async () => {
    stopping = true;
    for (const stream of open) stream.end();
  });

  return (call, stream, session, reply) => {
    if (stopping)
      throw new AppError('stopping', 'The service is being stopped. Try again in a moment.');
    // Each stream holds a connection: a session may have some, not any number.
    if ([...open].filter((other) => other.session === session).length >= maxStreams)
      throw new AppError(
        'too_many_streams',
        `This session already has ${maxStreams} open event streams. Close one first.`,
        { retryAfterSeconds: times.holdsAsked / 1000 },
      );

    const ended = new AbortController();
    let cutting: NodeJS.Timeout | undefined;
    const own: OpenStream = {
      session,
      end() {
        ended.abort();
        // A reader that takes nothing would never come to the end.
        cutting ??= setTimeout(() => reply.raw.destroy(), times.takingLeave);
      },
    };
    // Not by the reader's pace: one that takes nothing is asked about as well.
    const asking = setInterval(() => {
      // A database that is away for a while ends nothing; it has nothing to tell either.
      sessionHolds(session).then(
        (holds) => void (holds || own.end()),
        () => undefined,
      );
    }, times.holdsAsked);
    open.add(own);
    // Also of one who left before we came here.
    finished(reply.raw, () => {
      open.delete(own);
      clearInterval(asking);
      clearTimeout(cutting);
      ended.abort();
    });

    const text = eventText(stream, {
      signal: ended.signal,
      heartbeat: times.heartbeat,
      ...(checkReplies && { check: (event: ServerEvent) => void call.reply.parse(event) }),
    });
    // A proxy that gathered the lines would hand them on when they are old.
    reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .type('text/event-stream; charset=utf-8');
    const body = Readable.from(text);
    body.once('error', (err) => {
      if (reply.raw.headersSent)
        reply.log.error({ requestId: reply.request.id, err }, 'a stream of events broke off');
    });
    return reply.send(body);
  };
}
