/** The documents that tell of the applications of one category: winget's index, what it leads to, and what the other sources publish. */
import type { Document, OpenOptions, PartManifest, Publication } from '../../definition/feed.ts';
import type { FeedRemark } from '../../definition/feed-remark.ts';
import { openMany, type Wanted } from '../../parsers/open-many.ts';
import { InvalidScoopManifest, readScoopManifest } from '../../parsers/scoop-manifest.ts';
import { InvalidManifest, readWingetDefaultLocale } from '../../parsers/winget-manifest.ts';
import { mozillaChecksumAddresses } from './mozilla-checksums.ts';
import type { Application } from './thirdparty-applications.ts';
import { type ListedRelease, releasesWithChecksums } from './vendor-documents.ts';
import { vendorAddresses } from './vendor-releases.ts';
import { candidateVersions } from './version-numbers.ts';
import {
  isFolderName,
  readWingetIndex,
  type WingetIndexEntry,
  wingetIndex,
  wingetManifest,
} from './winget-addresses.ts';

const small: OpenOptions = {
  lastGoodCopy: true,
  maxBytes: 4 * 1024 ** 2,
  maxOpenBytes: 16 * 1024 ** 2,
};

export function scoopAddress(scoop: string): string {
  const [bucket = '', manifest = ''] = scoop.split('/');
  return `https://raw.githubusercontent.com/ScoopInstaller/${bucket}/master/bucket/${manifest}.json`;
}

export function caskAddress(cask: string): string {
  return `https://formulae.brew.sh/api/cask/${cask}.json`;
}

/**
 * A manifest that the index names and that is not published any more is its copy; of the other sources one that is not published any
 * more says nothing any more.
 */
export async function thirdPartyContents(
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
  const openNamed: Open = (wanted) =>
    openMany(publication, wanted, last, (url) => copies.push(url));

  const addresses = applications.flatMap(otherAddresses);
  const others = await openMany(
    publication,
    addresses.map((url) => ({ url, options: small })),
  );
  const checksums = await openChecksums(applications, others, openNamed);
  const { entries, unnamed } = await readWingetIndex(
    index,
    new Set(applications.map(({ id }) => id)),
  );
  const searches: Search[] = [];
  for (const application of applications)
    searches.push(...(await searchesFor(application, entries.get(application.id), others)));
  const manifests = await openManifests(searches, openNamed);
  const documents = [index, ...others.values(), ...checksums, ...manifests];
  // Of which packages entries without an identifier are is not known: what is missing then is kept.
  return {
    documents,
    whole: unnamed === 0,
    ...(copies.length > 0 && { standIn: copiesRead(copies) }),
  };
}

function copiesRead(urls: readonly string[]): FeedRemark[] {
  return urls.map((url) => ({ code: 'named_copy_read', params: { url } }));
}

function otherAddresses({ scoop, cask, vendor }: Application): string[] {
  return [
    ...(scoop === undefined ? [] : [scoopAddress(scoop)]),
    ...(cask === undefined ? [] : [caskAddress(cask)]),
    ...(vendor === undefined ? [] : vendorAddresses(vendor)),
  ];
}

/** Large lists that never change. Of each release the first that is published. */
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
    if (vendor !== undefined) releases.push(...(await releasesWithChecksums(vendor, others)));
  const documents: Document[] = [];
  let looking = releases.map(({ product, version }) => ({
    version,
    addresses: mozillaChecksumAddresses(product, version),
  }));
  while (looking.length > 0) {
    const tries = looking.flatMap(({ version, addresses: [url] }) =>
      url === undefined ? [] : [{ url, options: { ...checksumList, version } }],
    );
    const opened = await open(tries);
    documents.push(...opened.values());
    looking = looking
      .filter(({ addresses: [url] }) => url !== undefined && !opened.has(url))
      .map(({ version, addresses }) => ({ version, addresses: addresses.slice(1) }));
  }
  return documents;
}

/** A version that is looked for under the names that its folder may have. */
interface Search {
  readonly id: string;
  readonly versions: readonly string[];
  readonly options: OpenOptions;
}

async function searchesFor(
  { id, scoop }: Application,
  entry: WingetIndexEntry | undefined,
  others: ReadonlyMap<string, Document>,
): Promise<Search[]> {
  if (entry === undefined) return [];
  const elsewhere = await scoopVersion(
    scoop === undefined ? undefined : others.get(scoopAddress(scoop)),
  );
  const newest = candidateVersions(entry.version, elsewhere === null ? [] : [elsewhere]);
  const before =
    elsewhere === null || newest.includes(elsewhere) ? [] : candidateVersions(elsewhere, []);
  // A manifest is mended in its place at times; the index then says that the package was updated.
  const options = entry.lastUpdate === null ? small : { ...small, version: entry.lastUpdate };
  return [newest, before].map((versions) => ({
    id,
    versions: versions.filter(isFolderName),
    options,
  }));
}

async function scoopVersion(document: Document | undefined): Promise<string | null> {
  if (document === undefined) return null;
  try {
    return readScoopManifest(await document.text()).version;
  } catch (error) {
    if (error instanceof InvalidScoopManifest) return null;
    throw error;
  }
}

type Open = (wanted: readonly Wanted[]) => Promise<Map<string, Document>>;

/** For each version the installers and the description; a package of one file is that file. */
async function openManifests(searches: readonly Search[], open: Open): Promise<Document[]> {
  const documents: Document[] = [];
  const found: { readonly id: string; readonly version: string; readonly options: OpenOptions }[] =
    [];
  let looking = [...searches];
  for (let place = 0; looking.some(({ versions }) => versions.length > place); place += 1) {
    const tries = looking.flatMap(({ versions, ...search }) => {
      const version = versions[place];
      return version === undefined
        ? []
        : [{ ...search, versions, version, url: wingetManifest(search.id, version, 'installer') }];
    });
    const opened = await open(tries);
    documents.push(...opened.values());
    const there = tries.filter(({ url }) => opened.has(url));
    found.push(...there);
    looking = looking.filter(
      ({ id, versions }) => !there.some((one) => one.id === id && one.versions === versions),
    );
  }
  const alone = looking.flatMap(({ id, versions: [version], options }) =>
    version === undefined ? [] : [{ url: wingetManifest(id, version, null), options }],
  );
  documents.push(...(await open(alone)).values());

  const english = await open(
    found.map(({ id, version, options }) => ({
      url: wingetManifest(id, version, 'locale.en-US'),
      options,
    })),
  );
  documents.push(...english.values());
  const foreign = found.filter(
    ({ id, version }) => !english.has(wingetManifest(id, version, 'locale.en-US')),
  );
  const named = await open(
    foreign.map(({ id, version, options }) => ({
      url: wingetManifest(id, version, null),
      options,
    })),
  );
  const locales: Wanted[] = [];
  for (const { id, version, options } of foreign) {
    const document = named.get(wingetManifest(id, version, null));
    const locale = document === undefined ? null : await defaultLocale(document);
    if (locale !== null)
      locales.push({ url: wingetManifest(id, version, `locale.${locale}`), options });
  }
  return [...documents, ...named.values(), ...(await open(locales)).values()];
}

async function defaultLocale(document: Document): Promise<string | null> {
  try {
    return readWingetDefaultLocale(await document.text());
  } catch (error) {
    if (error instanceof InvalidManifest) return null;
    throw error;
  }
}
