/** Server-sent events: a reply that goes on, and the text lines it is sent as (WHATWG HTML, 9.2). */

export interface ServerEvent {
  readonly event: string;
  readonly data: unknown;
}

/** A reply that goes on. `events` ends as soon as its signal is aborted. */
export class EventStream {
  readonly events: (signal: AbortSignal) => AsyncIterable<ServerEvent>;
  constructor(events: (signal: AbortSignal) => AsyncIterable<ServerEvent>) {
    this.events = events;
  }
}

export interface EventTextOptions {
  /** Nobody listens any more, or may. */
  readonly signal: AbortSignal;
  /** Milliseconds of silence after which a comment is sent: proxies close what is silent for long, and the reader sees that we live. */
  readonly heartbeat: number;
  /** Throws on an event that the contract does not know; in development and tests. */
  readonly check?: (event: ServerEvent) => void;
}

/** What has not been taken yet is not made: a slow reader gets later states, not all of them. */
export async function* eventText(
  { events }: EventStream,
  { signal, heartbeat, check }: EventTextOptions,
): AsyncGenerator<string> {
  const iterator = events(signal)[Symbol.asyncIterator]();
  let next = iterator.next();
  let sent = 0;
  try {
    for (;;) {
      const come = await withinSilence(next, heartbeat);
      if (signal.aborted) return;
      if (come === null) {
        yield ': still here\n\n';
        continue;
      }
      if (come.done === true) return;
      check?.(come.value);
      sent += 1;
      yield `id: ${sent}\nevent: ${come.value.event}\ndata: ${JSON.stringify(come.value.data)}\n\n`;
      next = iterator.next();
    }
  } finally {
    // What was asked last is not waited for; should it fail, nobody is there to be told.
    next.catch(() => undefined);
    iterator.return?.().catch(() => undefined);
  }
}

/** Null when nothing has come for so long. */
async function withinSilence<Come>(next: Promise<Come>, heartbeat: number): Promise<Come | null> {
  let beat: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    beat = setTimeout(resolve, heartbeat, null);
  });
  return Promise.race([next, silence]).finally(() => clearTimeout(beat));
}
