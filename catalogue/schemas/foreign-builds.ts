/** Builds of a release that a publication is not of: an el6 build among the updates of Oracle Linux 8. */
import type { Remark } from '../definition/feed.ts';

interface Build {
  readonly name: string;
  readonly version: string | null;
  readonly release: string | null;
}

/** The distribution release in a package's release: el8 of `17.el8_10` and of `1.module+el8.4.0+557`, amzn2023, fc40; null when none is named. */
export function buildTag({ release }: Build): string | null {
  return /[.+_](el\d+|fc\d+|amzn\d+)/i.exec(release ?? '')?.[1]?.toLowerCase() ?? null;
}

/** `tag` is that of the publication, null where its builds have none. A build without a tag is of any release. */
export function isForeignBuild(build: Build, tag: string | null): boolean {
  const own = buildTag(build);
  return own !== null && tag !== null && own !== tag;
}

export function foreignBuildRemark(
  id: string,
  [first, ...others]: readonly Build[],
  tags: readonly string[],
): Remark {
  const build = [first?.name, first?.version, first?.release].join('-');
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return {
    kind: 'remark',
    remark: `${id}: "${build}"${more} is not built for ${tags.join(' or ')}; left out`,
  };
}
