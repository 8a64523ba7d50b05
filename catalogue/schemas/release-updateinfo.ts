/** The updateinfo of a repository without what is of another release than the repository. */
import type { Document } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/document-of.ts';
import {
  readUpdateinfo,
  type UpdateinfoAdvisory,
  type UpdateinfoItem,
} from '../parsers/updateinfo.ts';
import { buildTag, foreignBuildRemark, isForeignBuild } from './foreign-builds.ts';
import { isRetracted } from './updateinfo-entry.ts';

export interface PublishedRelease {
  /** Oracle Linux 8 */
  readonly label: string;
  /** The distribution release in that of its packages: el8; null where they have none. */
  readonly tag: string | null;
  /** The vendor publishes advisories without packages. */
  readonly mayLackPackages?: boolean;
}

/** Throws BrokenDocument when every advisory is of another release. */
export async function* releaseUpdateinfo(
  document: Document,
  published: PublishedRelease,
): AsyncGenerator<UpdateinfoItem> {
  let own = 0;
  let foreign: string | null = null;
  for await (const reading of readUpdateinfo(document)) {
    if (reading.kind !== 'advisory') {
      yield reading;
      continue;
    }
    const { id, packages } = reading;
    const lacksPackages = packages.length === 0 && published.mayLackPackages !== true;
    if (lacksPackages && !isRetracted(reading)) {
      yield { kind: 'rejection', rejected: id, reason: 'it names no package', url: document.url };
      continue;
    }
    const stated = otherRelease(reading, published);
    const builds = packages.filter((build) => isForeignBuild(build, published.tag));
    if (builds.length > 0 && stated === null && published.tag !== null)
      yield foreignBuildRemark(id, builds, [published.tag]);
    const [build] = builds;
    if (stated === null && (build === undefined || builds.length < packages.length)) {
      own += 1;
      yield { ...reading, packages: packages.filter((of) => !builds.includes(of)) };
      continue;
    }
    foreign ??= stated ?? (build === undefined ? null : buildTag(build));
    yield {
      kind: 'rejection',
      rejected: id,
      // Builds of another release are not to be installed: a row that has only those is withdrawn.
      ...(stated === null && { keys: [] }),
      reason:
        stated === null
          ? `none of its packages is built for ${published.tag}`
          : `it is of ${stated}, not of ${published.label}`,
      url: document.url,
    };
  }
  if (own === 0 && foreign !== null)
    throw new BrokenDocument(
      document.url,
      `all of its advisories are of ${foreign}, not of ${published.label}`,
    );
}

const products = ['Oracle Linux', 'Rocky Linux', 'AlmaLinux', 'Amazon Linux', 'openSUSE Leap'];

/** The release that an advisory names, where it is another one; null for words that name none. */
function otherRelease({ release }: UpdateinfoAdvisory, { label }: PublishedRelease): string | null {
  const product = products.find((name) => release?.startsWith(`${name} `));
  const [stated] = /^\d+(?:\.\d+)*/.exec(release?.slice((product?.length ?? 0) + 1) ?? '') ?? [];
  if (product === undefined || stated === undefined) return null;
  const name = `${product} ${stated}`;
  return name === label || name.startsWith(`${label}.`) ? null : name;
}
