/** Opens the documents about a category's applications: winget's index, the manifests it names, and the other sources' documents. */
import type { Document, OpenOptions, PartManifest, Publication } from '../../definition/feed.ts';
import type { FeedRemark } from '../../definition/feed-remark.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { openMany, type Wanted } from '../../parsers/open-documents.ts';
import { InvalidScoopManifest, readScoopManifest } from '../../parsers/scoop-manifest.ts';
import { InvalidManifest, readWingetDefaultLocale } from '../../parsers/winget-manifest.ts';
import { listMozillaChecksumAddresses } from './mozilla-checksums.ts';
import type { Application } from './thirdparty-applications.ts';
import { type ListedRelease, listReleasesWithChecksums } from './vendor-documents.ts';
import { listVendorAddresses } from './vendor-releases.ts';
import { listCandidateVersions } from './version-numbers.ts';
import {
  isFolderName,
  readWingetIndex,
  toWingetManifest,
  type WingetIndexEntry,
  wingetIndex,
} from './winget-addresses.ts';

const small: OpenOptions = {
  lastGoodCopy: true,
  maxBytes: 4 * 1024 ** 2,
  maxOpenBytes: 16 * 1024 ** 2,
};

export function toScoopAddress(scoop: string): string {
  const [bucket = '', manifest = ''] = scoop.split('/');
  return `https://raw.githubusercontent.com/ScoopInstaller/${bucket}/master/bucket/${manifest}.json`;
}

export function toCaskAddress(cask: string): string {
  return `https://formulae.brew.sh/api/cask/${cask}.json`;
}

/**
 * Reads the last copy of a manifest that the index names but that is no longer published. Other sources that are no longer published are
 * ignored.
 */
export async function openThirdPartyContents(
  applications: readonly Application[],
  publication: Publication,
): Promise<PartManifest> {
  const last = await publication.readLast();
  const index = await publication.open(wingetIndex, {
    lastGoodCopy: true,
    readThrough: async (document) => void (await readWingetIndex(document, new Set())),
    maxBytes: 64 * 1024 ** 2,
    maxOpenBytes: 256 * 1024 ** 2,
  });

  const copies: string[] = [];
  const openListed: Open = (wanted) =>
    openMany(publication, wanted, last, (url) => copies.push(url));

  const addresses = applications.flatMap(listOtherAddresses);
  const others = await openMany(
    publication,
    addresses.map((url) => ({ url, options: small })),
  );
  const checksums = await openChecksums(applications, others, openListed);
  const { entries, unnamed } = await readWingetIndex(
    index,
    new Set(applications.map(({ id }) => id)),
  );
  const searches: Search[] = [];
  for (const application of applications)
    searches.push(...(await createSearches(application, entries.get(application.id), others)));
  const manifests = await openManifests(searches, openListed);
  const documents = [index, ...others.values(), ...checksums, ...manifests];
  await distrustBroken(documents, last, publication);
  // Entries without an identifier may be of any package, so missing records are not withdrawn then.
  return {
    documents,
    isComplete: unnamed === 0,
    ...(copies.length > 0 && { standIn: createCopyRemarks(copies) }),
  };
}

/** Distrusts new documents that cannot be opened: they may be damaged, and the vendor would report them as unchanged. */
async function distrustBroken(
  documents: readonly Document[],
  last: readonly Document[],
  publication: Publication,
): Promise<void> {
  const known = new Set(last.map(({ sha256 }) => sha256));
  for (const document of documents) {
    if (known.has(document.sha256) || document.url === wingetIndex) continue;
    try {
      await document.text();
    } catch (error) {
      if (!(error instanceof BrokenDocument)) throw error;
      await publication.distrust?.(document.url);
    }
  }
}

function createCopyRemarks(urls: readonly string[]): FeedRemark[] {
  return urls.map((url) => ({ code: 'named_copy_read', params: { url } }));
}

function listOtherAddresses({ scoop, cask, vendor }: Application): string[] {
  return [
    ...(scoop === undefined ? [] : [toScoopAddress(scoop)]),
    ...(cask === undefined ? [] : [toCaskAddress(cask)]),
    ...(vendor === undefined ? [] : listVendorAddresses(vendor)),
  ];
}

/** Large lists that never change; the first published one of each release counts. */
const checksumList: OpenOptions = {
  lastGoodCopy: true,
  maxBytes: 16 * 1024 ** 2,
  maxOpenBytes: 32 * 1024 ** 2,
};

async function openChecksums(
  applications: readonly Application[],
  others: ReadonlyMap<string, Document>,
  open: Open,
): Promise<Document[]> {
  const releases: ListedRelease[] = [];
  for (const { vendor } of applications)
    if (vendor !== undefined) releases.push(...(await listReleasesWithChecksums(vendor, others)));
  const documents: Document[] = [];
  let pending = releases.map(({ product, version }) => ({
    version,
    addresses: listMozillaChecksumAddresses(product, version),
  }));
  while (pending.length > 0) {
    const attempts = pending.flatMap(({ version, addresses: [url] }) =>
      url === undefined ? [] : [{ url, options: { ...checksumList, version } }],
    );
    const opened = await open(attempts);
    documents.push(...opened.values());
    pending = pending
      .filter(({ addresses: [url] }) => url !== undefined && !opened.has(url))
      .map(({ version, addresses }) => ({ version, addresses: addresses.slice(1) }));
  }
  return documents;
}

/** A version to find, with its possible folder names in order of preference. */
interface Search {
  readonly id: string;
  readonly versions: readonly string[];
  readonly options: OpenOptions;
}

async function createSearches(
  { id, scoop }: Application,
  entry: WingetIndexEntry | undefined,
  others: ReadonlyMap<string, Document>,
): Promise<Search[]> {
  if (entry === undefined) return [];
  const elsewhere = await readScoopVersion(
    scoop === undefined ? undefined : others.get(toScoopAddress(scoop)),
  );
  const newest = listCandidateVersions(entry.version, elsewhere === null ? [] : [elsewhere]);
  const before =
    elsewhere === null || newest.includes(elsewhere) ? [] : listCandidateVersions(elsewhere, []);
  // Manifests are sometimes edited; the index then has a new date of the package.
  const options = entry.lastUpdate === null ? small : { ...small, version: entry.lastUpdate };
  return [newest, before].map((versions) => ({
    id,
    versions: versions.filter(isFolderName),
    options,
  }));
}

async function readScoopVersion(document: Document | undefined): Promise<string | null> {
  if (document === undefined) return null;
  try {
    return readScoopManifest(await document.text()).version;
  } catch (error) {
    if (error instanceof InvalidScoopManifest || error instanceof BrokenDocument) return null;
    throw error;
  }
}

type Open = (wanted: readonly Wanted[]) => Promise<Map<string, Document>>;

/** Opens installers and description of each version; a package of one file consists of that file. */
async function openManifests(searches: readonly Search[], open: Open): Promise<Document[]> {
  const documents: Document[] = [];
  const found: { readonly id: string; readonly version: string; readonly options: OpenOptions }[] =
    [];
  let pending = [...searches];
  for (let index = 0; pending.some(({ versions }) => versions.length > index); index += 1) {
    const attempts = pending.flatMap(({ versions, ...search }) => {
      const version = versions[index];
      return version === undefined
        ? []
        : [
            {
              ...search,
              versions,
              version,
              url: toWingetManifest(search.id, version, 'installer'),
            },
          ];
    });
    const opened = await open(attempts);
    documents.push(...opened.values());
    const published = attempts.filter(({ url }) => opened.has(url));
    found.push(...published);
    pending = pending.filter(
      ({ id, versions }) =>
        !published.some((search) => search.id === id && search.versions === versions),
    );
  }
  const singleFiles = pending.flatMap(({ id, versions: [version], options }) =>
    version === undefined ? [] : [{ url: toWingetManifest(id, version, null), options }],
  );
  documents.push(...(await open(singleFiles)).values());

  const english = await open(
    found.map(({ id, version, options }) => ({
      url: toWingetManifest(id, version, 'locale.en-US'),
      options,
    })),
  );
  documents.push(...english.values());
  const foreign = found.filter(
    ({ id, version }) => !english.has(toWingetManifest(id, version, 'locale.en-US')),
  );
  const versionFiles = await open(
    foreign.map(({ id, version, options }) => ({
      url: toWingetManifest(id, version, null),
      options,
    })),
  );
  const locales: Wanted[] = [];
  for (const { id, version, options } of foreign) {
    const document = versionFiles.get(toWingetManifest(id, version, null));
    const locale = document === undefined ? null : await readDefaultLocale(document);
    if (locale !== null)
      locales.push({ url: toWingetManifest(id, version, `locale.${locale}`), options });
  }
  return [...documents, ...versionFiles.values(), ...(await open(locales)).values()];
}

async function readDefaultLocale(document: Document): Promise<string | null> {
  try {
    return readWingetDefaultLocale(await document.text());
  } catch (error) {
    if (error instanceof InvalidManifest || error instanceof BrokenDocument) return null;
    throw error;
  }
}
