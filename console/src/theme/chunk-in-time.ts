/** Limits how long a lazy chunk of the console may load. A chunk that does not arrive in time has failed. */
import { durations } from './tokens.ts';

export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** Recognises a chunk that failed to load. Each browser has its own message. */
export function isChunkFailure(failure: unknown): boolean {
  return (
    failure instanceof Error &&
    /dynamically imported module|importing a module script failed|error loading dynamically|Unable to preload CSS/i.test(
      failure.message,
    )
  );
}

/** Rejects with the error when the module has not arrived after `limitMs`. */
export function rejectLate<Module>(
  loading: Promise<Module>,
  limitMs: number,
  createError: () => Error,
): Promise<Module> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createError()), limitMs);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export function limitChunkLoading<Module>(loading: Promise<Module>): Promise<Module> {
  const seconds = durations.chunkTimesOut / 1000;
  // The message resembles those of browsers, so that the failure page recognises it.
  const message = `Failed to fetch dynamically imported module: nothing came in ${seconds} seconds`;
  return rejectLate(loading, durations.chunkTimesOut, () => new ChunkLoadError(message));
}

/** The address of the chunk in the messages of Chromium and Firefox. Safari names none. */
const chunkAddress = /https?:\/\/\S+\.js/;

/** How often a chunk has failed, by its address. */
const failures = new Map<string, number>();

/**
 * Imports a chunk, and one that failed before under another address: browsers may remember for as long as the page is open that an
 * address has failed.
 * @param importAddress - How tests import.
 */
export async function importChunk<Module>(
  load: () => Promise<Module>,
  importAddress = (address: string) => import(/* @vite-ignore */ address) as Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (failure) {
    const [address] = (failure instanceof Error && chunkAddress.exec(failure.message)) || [];
    if (address === undefined || !isChunkFailure(failure)) throw failure;
    const before = failures.get(address) ?? 0;
    failures.set(address, before + 1);
    if (before === 0) throw failure;
    return importAddress(`${address}?again=${before}`);
  }
}
