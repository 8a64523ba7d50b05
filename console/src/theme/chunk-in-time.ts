/** A part of the console that is fetched when it is first shown: one that does not come counts as one that cannot. */
import { durations } from './tokens.ts';

export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

export function chunkInTime<Module>(
  loading: Promise<Module>,
  limit: number = durations.chunkTimesOut,
): Promise<Module> {
  return new Promise((resolve, reject) => {
    // In the browsers' words for a module that did not come, which the page of failures knows.
    const late = () =>
      reject(
        new ChunkLoadError(
          `Failed to fetch dynamically imported module: nothing came in ${limit / 1000} seconds`,
        ),
      );
    const timer = setTimeout(late, limit);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
