/** Streams the states of the sources while the user is active. A broken stream is reopened with exponential backoff. */

import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { SyncEvent, syncEventsEndpoint } from '@patch/contract/sync-events-endpoint.ts';
import { ApiCallError } from './api-call-error.ts';
import { openEvents } from './call-api.ts';
import { isUserActive } from './user-activity.ts';

const shortestRest = 1000;
const maxRestMs = 60_000;
const presenceAsked = 30_000;
/** The server sends a heartbeat every 15 seconds. A silent connection is dead, or a proxy buffers it. */
const maxSilenceMs = 40_000;
/** A stream that lasted this long resets the backoff. */
const steadyAfter = 10_000;

let open = false;

/** While the stream is open, components need not poll. */
export const isTold = (): boolean => open;

export interface SourceListener {
  /** Receives a function from the previous to the next states; undefined means unknown. */
  readonly take: (
    change: (before: readonly SourceState[] | undefined) => SourceState[] | undefined,
  ) => void;
  /** Called when an open stream breaks off: components must poll until it is open again. */
  readonly lost: () => void;
}

/** Pauses while the tab is hidden or the user is inactive. @returns A function that stops listening. */
export function listenToSources({ take, lost }: SourceListener): () => void {
  let listening: AbortController | null = null;
  let openedAt = 0;
  let failures = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  function heard({ event, data }: StreamedEvent): void {
    const parsed = SyncEvent.parse({ event, data: JSON.parse(data) });
    if (!open) openedAt = Date.now();
    open = true;
    take((before) =>
      parsed.event === 'sources' ? parsed.data.objList : withOne(before, parsed.data),
    );
  }

  function begin(): void {
    if (listening !== null || !isWanted()) return;
    stopResting();
    const own = new AbortController();
    listening = own;
    void follow(own);
  }

  /** Reopens the stream after every end but a 401. */
  async function follow(own: AbortController): Promise<void> {
    const failure = await readEvents(own, heard).catch((thrown: unknown) => thrown);
    if (listening !== own) return;
    const wasOpen = open;
    if (wasOpen && Date.now() - openedAt >= steadyAfter) failures = 0;
    end();
    if (failure instanceof ApiCallError && failure.status === 401) return;
    failures += 1;
    rest = setTimeout(begin, Math.min(maxRestMs, shortestRest * 2 ** (failures - 1)));
    if (wasOpen) lost();
  }

  function end(): void {
    const ended = listening;
    listening = null;
    open = false;
    stopResting();
    ended?.abort();
  }

  function stopResting(): void {
    clearTimeout(rest);
    rest = undefined;
  }

  const look = () => (isWanted() ? begin() : end());
  document.addEventListener('visibilitychange', look);
  const looking = setInterval(() => {
    if (!isWanted()) end();
    // A backoff after a failure is not cut short.
    else if (rest === undefined) begin();
  }, presenceAsked);
  begin();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearInterval(looking);
    end();
  };
}

const isWanted = () => document.visibilityState === 'visible' && isUserActive();

interface StreamedEvent {
  readonly event?: string | undefined;
  readonly data: string;
}

/** Passes on the events of one stream until it ends. Aborts a silent stream. */
async function readEvents(
  own: AbortController,
  onEvent: (event: StreamedEvent) => void,
): Promise<void> {
  // Loaded late, so that it does not delay the first rows.
  const { createParser } = await import('eventsource-parser');
  const parser = createParser({ onEvent });
  let silence: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(silence);
    silence = setTimeout(() => own.abort(), maxSilenceMs);
  };
  try {
    wait();
    const body = await openEvents(syncEventsEndpoint, own.signal);
    const reader = body
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      wait();
      parser.feed(read.value);
    }
  } finally {
    clearTimeout(silence);
  }
}

function withOne(
  before: readonly SourceState[] | undefined,
  changed: SourceState,
): SourceState[] | undefined {
  return before?.map((state) => (state.source === changed.source ? changed : state));
}
