/** Reads a repository's updateinfo and leaves out builds and advisories for other releases. */
import type { Document } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import {
  readUpdateinfo,
  type UpdateinfoAdvisory,
  type UpdateinfoItem,
} from '../parsers/updateinfo.ts';
import { createForeignBuildRemark, isForeignBuild, parseBuildTag } from './foreign-builds.ts';
import { isRetracted } from './updateinfo-entry.ts';

export interface PublishedRelease {
  /** Oracle Linux 8 */
  readonly label: string;
  /** Distribution release in the packages' release: el8; null when the packages have none. */
  readonly tag: string | null;
  /** Set for vendors that publish advisories without packages. */
  readonly mayLackPackages?: boolean;
}

/** @throws BrokenDocument when every advisory is for another release. */
export async function* readReleaseUpdateinfo(
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
    const stated = findOtherRelease(reading, published);
    const builds = packages.filter((build) => isForeignBuild(build, published.tag));
    if (builds.length > 0 && stated === null && published.tag !== null)
      yield createForeignBuildRemark(id, builds, [published.tag]);
    const [build] = builds;
    if (stated === null && (build === undefined || builds.length < packages.length)) {
      own += 1;
      yield { ...reading, packages: packages.filter((of) => !builds.includes(of)) };
      continue;
    }
    foreign ??= stated ?? (build === undefined ? null : parseBuildTag(build));
    yield {
      kind: 'rejection',
      rejected: id,
      // Builds for another release must not be installed: a row with only such builds is withdrawn.
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

/** Returns the other release that an advisory names; null when it names its own or none. */
function findOtherRelease(
  { release }: UpdateinfoAdvisory,
  { label }: PublishedRelease,
): string | null {
  const product = products.find((name) => release?.startsWith(`${name} `));
  const [stated] = /^\d+(?:\.\d+)*/.exec(release?.slice((product?.length ?? 0) + 1) ?? '') ?? [];
  if (product === undefined || stated === undefined) return null;
  const name = `${product} ${stated}`;
  return name === label || name.startsWith(`${label}.`) ? null : name;
}
