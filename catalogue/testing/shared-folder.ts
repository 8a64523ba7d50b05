/** Locates folders of real data beside the repository, on machines that have them. */
import { existsSync } from 'node:fs';
import { describe } from 'vitest';

export const sharedFolder = (name: string): URL =>
  new URL(`../../../shared/${name}/`, import.meta.url);

/**
 * Chooses how tests that read a shared folder are run.
 * @returns `describe`, or `describe.skip` where the folder is absent: its tests count as skipped.
 * @throws Error where CI=true says that everything must run, unless WITHOUT_FEED_MIRROR=true.
 */
export function describeWithShared(name: string): typeof describe | typeof describe.skip {
  const folder = sharedFolder(name);
  if (existsSync(folder)) return describe;
  const missing = `Missing folder ${folder.pathname}`;
  if (process.env['CI'] === 'true' && process.env['WITHOUT_FEED_MIRROR'] !== 'true')
    throw new Error(missing);
  process.stderr.write(`${missing}: the tests that read it are skipped.\n`);
  return describe.skip;
}
