/** Replaces the feeds of the catalogue in the sync thread of a test. */
import type { AnyFeed, Feed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { smallFeed } from './small-feed.ts';

/** Ends the sync thread, as running out of memory does. */
const deadlyFeed: Feed = {
  ...smallFeed,
  parts: [
    {
      key: 'one',
      label: 'Deadly one',
      contents: () => process.exit(7),
      read: () => process.exit(7),
    },
  ],
};

/** Fills the heap of the sync thread up to its limit. */
const greedyFeed: Feed = {
  ...smallFeed,
  parts: [
    {
      key: 'one',
      label: 'Greedy one',
      async contents() {
        const chunks: unknown[] = [];
        for (;;)
          chunks.push(
            Array.from({ length: 10_000 }, (_, number) => ({ number, size: chunks.length })),
          );
      },
      read: () => process.exit(7),
    },
  ],
};

export const feeds: Partial<Record<SourceKey, AnyFeed>> = {
  almaLinux: smallFeed,
  rockyLinux: smallFeed,
  mac: deadlyFeed,
  debian: greedyFeed,
};
