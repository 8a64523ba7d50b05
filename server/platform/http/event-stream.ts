/** Server-sent events: a continuous reply, its text (WHATWG HTML, 9.2) and its sending, which ends when the caller disconnects, the session ends or the service stops. */
import { finished, Readable } from 'node:stream';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors/app-error.ts';

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** A continuous reply. `events` must end as soon as its signal is aborted. */
export class EventStream {
  readonly events: (signal: AbortSignal) => AsyncIterable<ServerEvent>;
  constructor(events: (signal: AbortSignal) => AsyncIterable<ServerEvent>) {
    this.events = events;
  }
}

export interface EventTextOptions {
  /** Aborts when the caller disconnects or its session ends. */
  readonly signal: AbortSignal;
  /** Milliseconds without events until a comment is sent: it prevents proxies from closing the connection, and shows that the service runs. */
  readonly heartbeat: number;
  /** Throws on an event outside the contract, in development and tests. */
  readonly check?: (event: ServerEvent) => void;
}

/** Requests the next event only when the reader has taken the previous one, so that a slow reader skips states. */
export async function* eventText(
  { events }: EventStream,
  { signal, heartbeat, check }: EventTextOptions,
): AsyncGenerator<string> {
  const iterator = events(signal)[Symbol.asyncIterator]();
  let next = iterator.next();
  let sent = 0;
  try {
    for (;;) {
      const step = await waitForEvent(next, heartbeat);
      if (signal.aborted) return;
      if (step === null) {
        yield ': still here\n\n';
        continue;
      }
      if (step.done === true) return;
      check?.(step.value);
      sent += 1;
      yield `id: ${sent}\nevent: ${step.value.event}\ndata: ${JSON.stringify(step.value.data)}\n\n`;
      next = iterator.next();
    }
  } finally {
    // The pending event is not awaited; nobody would receive its error.
    next.catch(() => undefined);
    iterator.return?.().catch(() => undefined);
  }
}

/** Returns null when no event comes within the heartbeat. */
async function waitForEvent<Come>(next: Promise<Come>, heartbeat: number): Promise<Come | null> {
  let beat: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    beat = setTimeout(resolve, heartbeat, null);
  });
  return Promise.race([next, silence]).finally(() => clearTimeout(beat));
}

interface SendEventsOptions {
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
