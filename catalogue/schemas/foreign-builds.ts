/** Builds for another release than the publication's: an el6 build among the updates of Oracle Linux 8. */
import { createRemark, type Remark } from '../definition/feed.ts';

interface Build {
  readonly name: string;
  readonly version: string | null;
  readonly release: string | null;
}

/**
 * Returns the distribution release in a package's release: el8 for `17.el8_10` and `1.module+el8.4.0+557`, amzn2023, fc40; null without
 * one.
 */
export function parseBuildTag({ release }: Build): string | null {
  return /[.+_](el\d+|fc\d+|amzn\d+)/i.exec(release ?? '')?.[1]?.toLowerCase() ?? null;
}

/**
 * A build without a tag fits every release.
 * @param tag the publication's tag, or null when its builds have none
 */
export function isForeignBuild(build: Build, tag: string | null): boolean {
  const own = parseBuildTag(build);
  return own !== null && tag !== null && own !== tag;
}

export function createForeignBuildRemark(
  id: string,
  [first, ...others]: readonly Build[],
  tags: readonly string[],
): Remark {
  const build = [first?.name, first?.version, first?.release].join('-');
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return createRemark(`${id}: "${build}"${more} is not built for ${tags.join(' or ')}; left out`);
}
