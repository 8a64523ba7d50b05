/** Merges the advisories of a release's repositories into one list in which each id occurs once. */
import { createRejection, type Document } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { detachText } from '../parsers/detach-text.ts';
import {
  readUpdateinfo,
  type UpdateinfoAdvisory,
  type UpdateinfoItem,
  updateinfoIds,
} from '../parsers/updateinfo.ts';
import { anySuggestions } from '../values/errata-suggestions.ts';
import { findRepeated } from './errata-values.ts';
import { createForeignBuildRemark, isForeignBuild, parseBuildTag } from './foreign-builds.ts';
import { isRetracted } from './updateinfo-entry.ts';

/** Reads all documents twice: first for the repeated ids, so that only those advisories are buffered. */
export async function* mergeUpdateinfo(
  documents: readonly Document[],
  release: PublishedRelease,
): AsyncGenerator<UpdateinfoItem> {
  const repeated = await findRepeated(readIds(documents));
  const buffered = new Map<string, UpdateinfoAdvisory>();
  for (const document of documents) {
    const ofDocument = new Map<string, UpdateinfoAdvisory>();
    for await (const reading of readReleaseUpdateinfo(document, release)) {
      if (reading.kind === 'advisory' && repeated.has(reading.id))
        addMerged(ofDocument, detachText(reading), mergeWithinRepository);
      else yield reading;
    }
    for (const advisory of ofDocument.values()) addMerged(buffered, advisory, joinAdvisories);
  }
  yield* buffered.values();
}

async function* readIds(documents: readonly Document[]): AsyncGenerator<string> {
  for (const document of documents) yield* updateinfoIds(document);
}

type Merge = (a: UpdateinfoAdvisory, b: UpdateinfoAdvisory) => UpdateinfoAdvisory;

function addMerged(
  buffered: Map<string, UpdateinfoAdvisory>,
  advisory: UpdateinfoAdvisory,
  merge: Merge,
): void {
  const before = buffered.get(advisory.id);
  buffered.set(advisory.id, before === undefined ? advisory : merge(before, advisory));
}

/** In one repository a higher version replaces the earlier one; records of the same version are pieces of one advisory. */
function mergeWithinRepository(a: UpdateinfoAdvisory, b: UpdateinfoAdvisory): UpdateinfoAdvisory {
  const order = compareVersions(a, b);
  return order === 0 ? joinAdvisories(a, b) : order > 0 ? a : b;
}

/** Takes the words of the newer advisory, and the packages, modules and references of both. */
function joinAdvisories(a: UpdateinfoAdvisory, b: UpdateinfoAdvisory): UpdateinfoAdvisory {
  const order = compareVersions(a, b) || getLastChange(a) - getLastChange(b);
  const [newer, older] = order > 0 ? [a, b] : [b, a];
  return {
    ...newer,
    ...anySuggestions([newer, older]),
    packages: [...newer.packages, ...older.packages],
    modules: [...newer.modules, ...older.modules],
    references: [...newer.references, ...older.references],
  };
}

const { compare } = new Intl.Collator('en', { numeric: true });
const compareVersions = (a: UpdateinfoAdvisory, b: UpdateinfoAdvisory) =>
  compare(getVersionNumber(a), getVersionNumber(b));
/** A version that is not a number sorts lowest. */
const getVersionNumber = ({ version }: UpdateinfoAdvisory) =>
  version !== null && /^\d/.test(version) ? version : '';
const getLastChange = ({ issued, updated }: UpdateinfoAdvisory) => updated ?? issued ?? 0;

export interface PublishedRelease {
  /** Oracle Linux 8 */
  readonly label: string;
  /** Distribution release in the packages' release: el8; null when the packages have none. */
  readonly tag: string | null;
  /** Set for vendors that publish advisories without packages. */
  readonly mayLackPackages?: boolean;
}

/**
 * Reads a repository's updateinfo and leaves out builds and advisories for other releases.
 * @throws BrokenDocument when every advisory is for another release.
 */
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
      yield createRejection(id, 'it names no package', document.url);
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
