/** Streams the states of the sources while the user is active. A broken stream is reopened with exponential backoff. */

import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { SyncEvent, syncEventsEndpoint } from '@patch/contract/sources/sync-events-endpoint.ts';
import { ApiCallError } from './api-call-error.ts';
import { openEvents } from './call-api.ts';
import { isUserActive } from './user-activity.ts';

const minBackoffMs = 1000;
const maxBackoffMs = 60_000;
const activityCheckMs = 30_000;
/** The server sends a heartbeat every 15 seconds. A silent connection is dead, or a proxy buffers it. */
const maxSilenceMs = 40_000;
/** A stream that lasted this long resets the backoff. */
const resetBackoffAfterMs = 10_000;

let isOpen = false;

/** While the stream is open, components need not poll. */
export const isStreamOpen = (): boolean => isOpen;

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
  let current: AbortController | null = null;
  let openedAt = 0;
  let failures = 0;
  let backoff: ReturnType<typeof setTimeout> | undefined;
  function onEvent({ event, data }: StreamedEvent): void {
    const parsed = SyncEvent.parse({ event, data: JSON.parse(data) });
    if (!isOpen) openedAt = Date.now();
    isOpen = true;
    take((before) =>
      parsed.event === 'sources' ? parsed.data.objList : withSource(before, parsed.data),
    );
  }

  function begin(): void {
    if (current !== null || !isWanted()) return;
    clearBackoff();
    const controller = new AbortController();
    current = controller;
    void follow(controller);
  }

  /** Reopens the stream after every end but a 401. */
  async function follow(controller: AbortController): Promise<void> {
    const failure = await readEvents(controller, onEvent).catch((thrown: unknown) => thrown);
    if (current !== controller) return;
    const wasOpen = isOpen;
    if (wasOpen && Date.now() - openedAt >= resetBackoffAfterMs) failures = 0;
    end();
    if (failure instanceof ApiCallError && failure.status === 401) return;
    failures += 1;
    backoff = setTimeout(begin, Math.min(maxBackoffMs, minBackoffMs * 2 ** (failures - 1)));
    if (wasOpen) lost();
  }

  function end(): void {
    const ended = current;
    current = null;
    isOpen = false;
    clearBackoff();
    ended?.abort();
  }

  function clearBackoff(): void {
    clearTimeout(backoff);
    backoff = undefined;
  }

  const startOrEnd = () => (isWanted() ? begin() : end());
  document.addEventListener('visibilitychange', startOrEnd);
  const activityTimer = setInterval(() => {
    if (!isWanted()) end();
    // A backoff after a failure is not cut short.
    else if (backoff === undefined) begin();
  }, activityCheckMs);
  begin();
  return () => {
    document.removeEventListener('visibilitychange', startOrEnd);
    clearInterval(activityTimer);
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
  controller: AbortController,
  onEvent: (event: StreamedEvent) => void,
): Promise<void> {
  // Loaded late, so that it does not delay the first rows.
  const { createParser } = await import('eventsource-parser');
  const parser = createParser({ onEvent });
  let silence: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(silence);
    silence = setTimeout(() => controller.abort(), maxSilenceMs);
  };
  try {
    wait();
    const body = await openEvents(syncEventsEndpoint, controller.signal);
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

function withSource(
  before: readonly SourceState[] | undefined,
  changed: SourceState,
): SourceState[] | undefined {
  return before?.map((state) => (state.source === changed.source ? changed : state));
}
