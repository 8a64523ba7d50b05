/** Server-sent events: text lines that go out as things happen, until the caller leaves, the session ends or the service stops. */
import { setTimeout as after } from 'node:timers/promises';

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** A reply that goes on. `events` ends soon after its signal is aborted. */
export class EventStream {
  readonly events: (signal: AbortSignal) => AsyncIterable<ServerEvent>;
  constructor(events: (signal: AbortSignal) => AsyncIterable<ServerEvent>) {
    this.events = events;
  }
}

export interface EventTextOptions {
  /** The service stops, or the caller has left. */
  readonly signal: AbortSignal;
  /** Whether the caller may still listen; asked now and then. */
  readonly holds: () => Promise<boolean>;
  /** Throws on an event that the contract does not know; in development and tests. */
  readonly check?: (event: ServerEvent) => void;
  readonly times?: { readonly heartbeat: number; readonly holdsAsked: number };
}

/** Proxies close what is silent for long. */
const usualTimes = { heartbeat: 15_000, holdsAsked: 30_000 };

/** The lines of the stream (WHATWG HTML, 9.2). What has not been taken yet is not made: a slow reader gets later states, not all of them. */
export async function* eventText(
  { events }: EventStream,
  { signal, holds, check, times = usualTimes }: EventTextOptions,
): AsyncGenerator<string> {
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const iterator = events(stop)[Symbol.asyncIterator]();
  let next = iterator.next();
  let askedAt = Date.now();
  try {
    while (!stop.aborted) {
      const come = await Promise.race([next, after(times.heartbeat, 'silence' as const, { signal: stop }).catch(() => 'stopped' as const)]);
      if (come === 'stopped') return;
      if (Date.now() - askedAt >= times.holdsAsked) {
        if (!(await holds())) return;
        askedAt = Date.now();
      }
      if (come === 'silence') {
        yield ': still here\n\n';
        continue;
      }
      if (come.done === true) return;
      check?.(come.value);
      yield `event: ${come.value.event}\ndata: ${JSON.stringify(come.value.data)}\n\n`;
      next = iterator.next();
    }
  } finally {
    ended.abort();
    // What was asked last is not waited for; should it fail, nobody is there to be told.
    next.catch(() => undefined);
  }
}
