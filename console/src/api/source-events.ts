/** Listens to how the sources stand while somebody looks: one stream a tab, opened anew with growing rests when it breaks off. */
import { SyncEvent, syncEventsCall } from '@patch/contract/source-settings-calls.ts';
import type { SourceState } from '@patch/contract/sync-calls.ts';
import { createParser } from 'eventsource-parser';
import { CallCancelled, CallFailed } from './call-failed.ts';
import { openEvents } from './make-call.ts';
import { somebodyThere } from './presence.ts';

/** Milliseconds. */
const shortestRest = 1000;
const longestRest = 60_000;
const presenceAsked = 30_000;

let open = false;

/** Whether the stream is open, so that nobody has to ask. */
export const isTold = (): boolean => open;

/** Hands on every change of the states until the answered function is called. Not while the tab is hidden or nobody is there. */
export function listenToSources(take: (change: (before: readonly SourceState[] | undefined) => SourceState[]) => void): () => void {
  let listening: AbortController | null = null;
  let failures = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;
  const wanted = () => document.visibilityState === 'visible' && somebodyThere();

  async function listen(signal: AbortSignal): Promise<void> {
    const body = await openEvents(syncEventsCall, signal);
    const parser = createParser({
      onEvent({ event, data }) {
        const told = SyncEvent.parse({ event, data: JSON.parse(data) });
        failures = 0;
        open = true;
        take((before) => (told.event === 'sources' ? told.data.objList : withOne(before, told.data)));
      },
    });
    const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) parser.feed(read.value);
  }

  function begin(): void {
    if (listening !== null || !wanted()) return;
    const own = new AbortController();
    listening = own;
    clearTimeout(rest);
    void follow(own);
  }

  /** The service may have ended, or its session: it is asked again, like after any failure. */
  async function follow(own: AbortController): Promise<void> {
    const failure = await listen(own.signal).catch((thrown: unknown) => thrown);
    if (listening !== own) return;
    end();
    if (failure instanceof CallCancelled || (failure instanceof CallFailed && failure.status === 401)) return;
    failures += 1;
    rest = setTimeout(begin, Math.min(longestRest, shortestRest * 2 ** (failures - 1)));
  }

  function end(): void {
    const ended = listening;
    listening = null;
    open = false;
    clearTimeout(rest);
    ended?.abort();
  }

  const look = () => (wanted() ? begin() : end());
  document.addEventListener('visibilitychange', look);
  const looking = setInterval(() => {
    // One that rests after a failure is left its rest.
    if (!wanted()) end();
    else if (failures === 0) begin();
  }, presenceAsked);
  begin();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearInterval(looking);
    end();
  };
}

function withOne(before: readonly SourceState[] | undefined, changed: SourceState): SourceState[] {
  return (before ?? []).map((state) => (state.source === changed.source ? changed : state));
}
