/** Limits how long a lazy chunk of the console may load. A chunk that does not arrive in time has failed. */
import { durations } from './tokens.ts';

export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

export function limitChunkLoading<Module>(
  loading: Promise<Module>,
  limit: number = durations.chunkTimesOut,
): Promise<Module> {
  return new Promise((resolve, reject) => {
    // The message resembles those of browsers, so that the failure page recognises it.
    const rejectLate = () =>
      reject(
        new ChunkLoadError(
          `Failed to fetch dynamically imported module: nothing came in ${limit / 1000} seconds`,
        ),
      );
    const timer = setTimeout(rejectLate, limit);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
