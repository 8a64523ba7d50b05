/** The package indexes of one suite of an apt archive: `http://security.ubuntu.com/ubuntu`, `jammy-security`. */
import { type Document, FetchFailed, NotPublished, type Publication, type Remark } from '../definition/feed.ts';
import { BrokenDocument } from './document-of.ts';
import { type InRelease, readInRelease } from './inrelease.ts';

export interface AptSuite {
  /** The archive, without a slash at its end. */
  readonly archive: string;
  readonly suite: string;
  readonly architecture: string;
  /** Armored public keys of the vendor's; none when they are not known: then any signature will do, and the run says so. */
  readonly pinnedKeys: readonly string[];
}

export interface PackageIndex {
  /** main, universe, non-free … */
  readonly component: string;
  readonly document: Document;
}

/** Smallest first. Not every archive keeps all the forms it lists. */
const forms = ['.xz', '.gz', ''];

interface OpenedRelease extends InRelease {
  /** Of the state that was read last; null when there was none. */
  readonly lastDate: number | null;
}

/** What was verified when the documents were opened, for when they are read. */
const releases = new WeakMap<Document, OpenedRelease>();

/**
 * InRelease, then the index of each component that has packages, each held to the checksum that was signed. Whole when none that is listed
 * is missing. Throws NotPublished where there is no such suite.
 */
export async function suiteDocuments(
  publication: Publication,
  suite: AptSuite,
): Promise<{ readonly documents: readonly Document[]; readonly whole: boolean }> {
  const address = `${addressOf(suite)}/InRelease`;
  const last = (await publication.readLast()).find(({ url }) => url === address);
  const lastDate = last === undefined ? null : (await readInRelease(last, null)).date;
  const trusted = [...suite.pinnedKeys, ...(publication.trustedKeys ?? [])];
  const keys = trusted.length === 0 ? null : trusted;
  // What bears no good signature takes the place of no good copy.
  const document = await publication.open(address, { readThrough: async (arrived) => void (await readInRelease(arrived, keys)) });
  const release = await readInRelease(document, keys);
  releases.set(document, { ...release, lastDate });
  const components = componentsOf(release, suite);
  const indexes: Document[] = [];
  for (const component of components) {
    const index = await openIndex(publication, suite, release, component);
    if (index !== null) indexes.push(index);
  }
  if (indexes.length === 0 && components.length > 0) {
    throw new BrokenDocument(document.url, `of the indexes it lists (${components.join(', ')}) none is published`);
  }
  return { documents: [document, ...indexes], whole: indexes.length === components.length };
}

/**
 * For a suite that only adds to the records of another publication: while it cannot be had, its last copy serves, and `lacking` says why.
 * No documents where it never was published.
 */
export async function suiteOrLast(
  publication: Publication,
  suite: AptSuite,
): Promise<{ readonly documents: readonly Document[]; readonly lacking: string | null }> {
  try {
    return { documents: (await suiteDocuments(publication, suite)).documents, lacking: null };
  } catch (error) {
    if (!(error instanceof NotPublished || error instanceof FetchFailed || error instanceof BrokenDocument)) throw error;
    if (error instanceof BrokenDocument) await publication.distrust?.(error.url);
    const last = (await publication.readLast()).filter(({ url }) => url.startsWith(`${addressOf(suite)}/`));
    const release = last.find(({ url }) => url === `${addressOf(suite)}/InRelease`);
    if (release === undefined) return { documents: [], lacking: error instanceof NotPublished ? null : error.message };
    // A copy is kept only of what was verified.
    releases.set(release, { ...(await readInRelease(release, null)), verified: true, lastDate: null });
    return { documents: last, lacking: error.message };
  }
}

/** Of the documents that `suiteDocuments` or `suiteOrLast` has opened; those of other suites may stand among them. */
export function openedSuite(
  documents: readonly Document[],
  suite: AptSuite,
): { indexes: readonly PackageIndex[]; remarks: readonly Remark[]; date: number | null } {
  const start = `${addressOf(suite)}/`;
  const opened = documents.find(({ url }) => url === `${start}InRelease`);
  const release = opened === undefined ? undefined : releases.get(opened);
  if (release === undefined) throw new Error(`${start}InRelease was not opened and verified`);
  const indexes = documents.flatMap((document) => {
    const component = document.url.startsWith(start) ? /^([^/]+)\/binary-/.exec(document.url.slice(start.length))?.[1] : undefined;
    return component === undefined ? [] : [{ component, document }];
  });
  const have = new Set(indexes.map(({ component }) => component));
  return {
    indexes,
    date: release.date,
    remarks: [
      ...remarksOn(
        release,
        componentsOf(release, suite).filter((component) => !have.has(component)),
      ),
    ],
  };
}

function* remarksOn({ verified, validUntil, date, lastDate }: OpenedRelease, missing: readonly string[]): Generator<Remark> {
  if (!verified) yield { remark: "it is signed, but the vendor's key is not known here: the signature was not verified" };
  if (missing.length > 0) yield { remark: `${missing.join(', ')}: listed, but not published; what is known of it is kept` };
  if (date !== null && lastDate !== null && date < lastDate) {
    yield {
      remark: `this state of ${new Date(date).toISOString()} is older than the one read last, of ${new Date(lastDate).toISOString()}`,
    };
  }
  if (validUntil !== null && validUntil < Date.now()) {
    yield { remark: `the vendor stood by this state until ${new Date(validUntil).toISOString()} only: the mirror may have fallen behind` };
  }
}

function addressOf({ archive, suite }: AptSuite): string {
  return `${archive}/dists/${suite}`;
}

/** Those whose index is listed and not empty: archives list an empty one for each component they do not fill. */
function componentsOf({ files }: InRelease, { architecture }: AptSuite): string[] {
  const index = new RegExp(`^([^/]+)/binary-${architecture}/Packages(?:\\.xz|\\.gz)?$`);
  const components = new Set([...files.keys()].flatMap((path) => index.exec(path)?.[1] ?? []));
  return [...components].filter((component) => files.get(`${component}/binary-${architecture}/Packages`)?.size !== 0);
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
    for (const path of byHash ? [`by-hash/SHA256/${listed.sha256}`, `Packages${form}`] : [`Packages${form}`]) {
      try {
        const checksum = { algorithm: 'sha256', value: listed.sha256 } as const;
        return await publication.open(`${addressOf(suite)}/${folder}/${path}`, { checksum });
      } catch (error) {
        if (!(error instanceof NotPublished)) throw error;
      }
    }
  }
  return null;
}
