/** Listens to the state of the sources while the user is active: one stream per tab, reopened after growing pauses when it breaks off. */

import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { SyncEvent, syncEventsEndpoint } from '@patch/contract/sync-events-endpoint.ts';
import { ApiCallError } from './api-call-error.ts';
import { openEvents } from './call-api.ts';
import { isUserActive } from './user-activity.ts';

/** Milliseconds. */
const shortestRest = 1000;
const maxRestMs = 60_000;
const presenceAsked = 30_000;
/** The server says every 15 seconds that it lives. Less than that came over a line that is dead, or through a proxy that keeps it. */
const maxSilenceMs = 40_000;
/** A stream that lasted this long broke off by chance: the pauses start over. */
const steadyAfter = 10_000;

let open = false;

/** Whether the stream is open, so that nobody has to ask. */
export const isTold = (): boolean => open;

export interface SourceListener {
  /** Is handed what the states become, given what they were; undefined while they are not known. */
  readonly take: (
    change: (before: readonly SourceState[] | undefined) => SourceState[] | undefined,
  ) => void;
  /** The open stream has broken off: until it is open again, components must poll. */
  readonly lost: () => void;
}

/** Until the answered function is called; not while the tab is hidden or nobody is there. */
export function listenToSources({ take, lost }: SourceListener): () => void {
  let listening: AbortController | null = null;
  let openedAt = 0;
  let failures = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  function heard({ event, data }: StreamedEvent): void {
    const told = SyncEvent.parse({ event, data: JSON.parse(data) });
    if (!open) openedAt = Date.now();
    open = true;
    take((before) => (told.event === 'sources' ? told.data.objList : withOne(before, told.data)));
  }

  function begin(): void {
    if (listening !== null || !isWanted()) return;
    stopResting();
    const own = new AbortController();
    listening = own;
    void follow(own);
  }

  /** The service may have ended, or its session: it is asked again, like after any failure. */
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
    // One that rests after a failure is left its rest.
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

/** Hands over the events of one stream until it ends. A stream that falls silent is aborted. */
async function readEvents(
  own: AbortController,
  onEvent: (event: StreamedEvent) => void,
): Promise<void> {
  // After the first rows are there.
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
