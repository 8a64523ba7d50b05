/** The mirror of real vendor feeds that lies beside the repository on machines that have it. */
import { existsSync } from 'node:fs';
import { describe } from 'vitest';

/** Laid out as `publicationFrom` reads it. */
export const feedMirror = new URL('../../../shared/feed-mirror/', import.meta.url);

const here = existsSync(feedMirror);
if (!here) {
  const missing = `There is no feed mirror at ${feedMirror.pathname}`;
  if (process.env.CI === 'true' && process.env.WITHOUT_FEED_MIRROR !== 'true')
    throw new Error(missing);
  process.stderr.write(`${missing}: the tests that read it are left out.\n`);
}

/** Tests that read the mirror. Without it they are left out, and it is said; where CI=true they fail. */
export const describeWithMirror = here ? describe : describe.skip;
