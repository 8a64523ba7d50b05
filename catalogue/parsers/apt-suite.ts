/** Opens the package indexes of one suite of an apt archive: `http://security.ubuntu.com/ubuntu`, `jammy-security`. */
import { NotPublished } from '../definition/document-errors.ts';
import {
  createRemark,
  type Document,
  type Facts,
  type Publication,
  type Remark,
} from '../definition/feed.ts';
import { BrokenDocument } from './create-document.ts';
import { type InRelease, readInRelease } from './inrelease.ts';
import { isPublicationFailure } from './publication-failure.ts';

export interface AptSuite {
  /** Address of the archive without a trailing slash. */
  readonly archive: string;
  readonly suite: string;
  readonly architecture: string;
  /** The vendor's armored public keys. When empty, any signature is accepted and the run reports it. */
  readonly pinnedKeys: readonly string[];
}

export interface PackageIndex {
  /** main, universe, non-free … */
  readonly component: string;
  readonly document: Document;
}

/** Compressed forms, smallest first. Not every archive keeps all forms that it lists. */
const forms = ['.xz', '.gz', ''];

/** Verified release files by their document, for the reading of the indexes. */
const releases = new WeakMap<Document, InRelease>();

export interface SuiteDocuments {
  readonly documents: readonly Document[];
  /** True when all listed indexes are published. */
  readonly isComplete: boolean;
  /** Remarks for the contents of the part. */
  readonly remarks: readonly Remark[];
  readonly remember: Facts;
}

/**
 * Opens InRelease, then the index of each component that has packages, each checked against its signed checksum. Throws
 * NotPublished when the suite does not exist.
 */
export async function suiteDocuments(
  publication: Publication,
  suite: AptSuite,
): Promise<SuiteDocuments> {
  const address = `${getAddress(suite)}/InRelease`;
  const trusted = [...suite.pinnedKeys, ...(publication.trustedKeys ?? [])];
  const keys = trusted.length === 0 ? null : trusted;
  // A document without a good signature must not replace a good copy.
  const document = await publication.open(address, {
    readThrough: async (arrived) =>
      requireSuite(arrived, suite, await readInRelease(arrived, keys)),
  });
  const release = await readInRelease(document, keys);
  requireSuite(document, suite, release);
  releases.set(document, release);
  const components = listComponents(release, suite);
  const indexes: Document[] = [];
  const missing: string[] = [];
  for (const component of components) {
    const index = await openIndex(publication, suite, release, component);
    if (index === null) missing.push(component);
    else indexes.push(index);
  }
  if (indexes.length === 0 && components.length > 0) {
    throw new BrokenDocument(
      document.url,
      `of the indexes it lists (${components.join(', ')}) none is published`,
    );
  }
  const newest = await newestDate(publication, suite);
  const remember = Math.max(newest ?? 0, release.date ?? 0);
  return {
    documents: [document, ...indexes],
    isComplete: missing.length === 0,
    remarks: [...remarksOn(release, { missing, newest, now: publication.now() })],
    remember: remember === 0 ? {} : { [newestName(suite)]: new Date(remember).toISOString() },
  };
}

/**
 * Throws BrokenDocument for a release file of another suite; both the suite's name and its codename count: bullseye-security,
 * oldstable-security.
 */
function requireSuite(
  { url }: Document,
  { suite: expected }: AptSuite,
  { suite, codename }: InRelease,
): void {
  const stated = [suite, codename].filter((name) => name !== null);
  if (stated.length > 0 && !stated.includes(expected))
    throw new BrokenDocument(url, `it is of the suite ${stated.join(', ')}, not of ${expected}`);
}

/**
 * Opens a suite that only adds to the records of another publication. While it is unavailable, its last copy is used, and
 * `lacking` states the reason. Returns no documents when it was never published.
 */
export async function suiteOrLast(
  publication: Publication,
  suite: AptSuite,
): Promise<Omit<SuiteDocuments, 'isComplete'> & { readonly lacking: string | null }> {
  try {
    return { ...(await suiteDocuments(publication, suite)), lacking: null };
  } catch (error) {
    if (!isPublicationFailure(error)) throw error;
    if (error instanceof BrokenDocument) await publication.distrust?.(error.url);
    const last = (await publication.readLast()).filter(({ url }) =>
      url.startsWith(`${getAddress(suite)}/`),
    );
    const release = last.find(({ url }) => url === `${getAddress(suite)}/InRelease`);
    const remembered = publication.remembered?.[newestName(suite)];
    const base = {
      remarks: [],
      remember: remembered === undefined ? {} : { [newestName(suite)]: remembered },
    };
    if (release === undefined)
      return {
        ...base,
        documents: [],
        lacking: error instanceof NotPublished ? null : error.message,
      };
    // Only verified documents have copies.
    releases.set(release, await readInRelease(release, null));
    return { ...base, documents: last, lacking: error.message };
  }
}

/** Returns the indexes of a suite that `suiteDocuments` or `suiteOrLast` opened; `documents` may include other suites. */
export function openedSuite(
  documents: readonly Document[],
  suite: AptSuite,
): { readonly indexes: readonly PackageIndex[]; readonly date: number | null } {
  const start = `${getAddress(suite)}/`;
  const opened = documents.find(({ url }) => url === `${start}InRelease`);
  const release = opened === undefined ? undefined : releases.get(opened);
  if (release === undefined) throw new Error(`${start}InRelease was not opened and verified`);
  const indexes = documents.flatMap((document) => {
    const component = document.url.startsWith(start)
      ? /^([^/]+)\/binary-/.exec(document.url.slice(start.length))?.[1]
      : undefined;
    return component === undefined ? [] : [{ component, document }];
  });
  return { indexes, date: release.date };
}

/** A fact name per suite, because a part may have several suites. */
const newestName = ({ suite }: AptSuite) => `newest state of ${suite}`;

/** Returns the date of the newest state that was ever read, from any mirror; null if none exists. */
async function newestDate(publication: Publication, suite: AptSuite): Promise<number | null> {
  const remembered = publication.remembered?.[newestName(suite)];
  if (remembered !== undefined) return Date.parse(remembered);
  const last = (await publication.readLast()).find(
    ({ url }) => url === `${getAddress(suite)}/InRelease`,
  );
  return last === undefined ? null : (await readInRelease(last, null)).date;
}

function* remarksOn(
  { verified, validUntil, date, remarks }: InRelease,
  {
    missing,
    newest,
    now,
  }: { readonly missing: readonly string[]; readonly newest: number | null; readonly now: number },
): Generator<Remark> {
  yield* remarks;
  if (!verified)
    yield createRemark(
      "it is signed, but the vendor's key is not known here: the signature was not verified",
    );
  if (missing.length > 0)
    yield createRemark(
      `${missing.join(', ')}: listed, but not published; the records already known stay`,
    );
  if (date !== null && newest !== null && date < newest) {
    yield createRemark(
      `this state of ${new Date(date).toISOString()} is older than one that was read before, of ${new Date(newest).toISOString()}`,
    );
  }
  if (validUntil !== null && validUntil < now) {
    yield createRemark(
      `the vendor stood by this state until ${new Date(validUntil).toISOString()} only: the mirror may have fallen behind`,
    );
  }
}

function getAddress({ archive, suite }: AptSuite): string {
  return `${archive}/dists/${suite}`;
}

/** Returns the components whose index is listed and not empty: archives list an empty index for components without packages. */
function listComponents({ files }: InRelease, { architecture }: AptSuite): string[] {
  const index = new RegExp(`^([^/]+)/binary-${architecture}/Packages(?:\\.xz|\\.gz)?$`);
  const components = new Set([...files.keys()].flatMap((path) => index.exec(path)?.[1] ?? []));
  return [...components].filter(
    (component) => files.get(`${component}/binary-${architecture}/Packages`)?.size !== 0,
  );
}

async function openIndex(
  publication: Publication,
  suite: AptSuite,
  { files, byHash }: InRelease,
  component: string,
): Promise<Document | null> {
  const folder = `${component}/binary-${suite.architecture}`;
  for (const form of forms) {
    const listed = files.get(`${folder}/Packages${form}`);
    if (listed === undefined) continue;
    for (const path of byHash
      ? [`by-hash/SHA256/${listed.sha256}`, `Packages${form}`]
      : [`Packages${form}`]) {
      try {
        const checksum = { algorithm: 'sha256', value: listed.sha256 } as const;
        return await publication.open(`${getAddress(suite)}/${folder}/${path}`, { checksum });
      } catch (error) {
        if (!(error instanceof NotPublished)) throw error;
      }
    }
  }
  return null;
}
