/** Server-sent events: a continuous reply, and its text (WHATWG HTML, 9.2). */

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
