/** Reads the documents of an application's sources into one form. */
import type { Document, UnknownWord } from '../../definition/feed.ts';
import { readScoopManifest } from '../../parsers/scoop-manifest.ts';
import {
  readWingetDefaultLocale,
  readWingetDescription,
  readWingetInstallers,
  requireWingetManifest,
} from '../../parsers/winget-manifest.ts';
import { invalidReason } from '../../values/vendor-words.ts';
import { readCask } from './homebrew-cask.ts';
import { convertErrors, InvalidSource, parseJsonDocument } from './invalid-source.ts';
import { chooseOneLanguage, type ReleasePackage } from './release-package.ts';
import type { Application } from './thirdparty-applications.ts';
import { toCaskAddress, toScoopAddress } from './thirdparty-documents.ts';
import { readVendorDocuments } from './vendor-documents.ts';
import { compareVersions } from './version-numbers.ts';
import { toWingetFolder, type WingetIndexEntry } from './winget-addresses.ts';
import { findUnknownInstallerWords } from './winget-vocabulary.ts';

export type SourceName = 'winget' | 'Scoop' | 'Homebrew' | 'Mozilla' | 'Google';

/** Content of one document of a source. */
export interface SourceFacts {
  readonly source: SourceName;
  readonly name?: string | null;
  readonly manufacturer?: string | null;
  readonly description?: string | null;
  readonly page?: string | null;
  readonly tags?: readonly string[];
  readonly version?: string;
  readonly releaseDate?: number | null;
  readonly packages?: readonly ReleasePackage[];
  /** Notes of the release with the version `notesOf`. */
  readonly notes?: string | null;
  readonly notesLink?: string | null;
  readonly notesOf?: string | null;
  readonly unknownWords?: readonly UnknownWord[];
  /** Parts of the document that have another form than its source's and were left out. */
  readonly remarks?: readonly string[];
}

/**
 * Reads all sources, the most reliable first.
 * @throws InvalidSource
 * @throws BrokenDocument when the bytes are not text
 */
export async function readSources(
  application: Application,
  entry: WingetIndexEntry | undefined,
  documents: ReadonlyMap<string, Document>,
): Promise<SourceFacts[]> {
  const { scoop, cask, vendor } = application;
  const words = await readWinget(application.id, documents);
  const scoopDocument = scoop === undefined ? undefined : documents.get(toScoopAddress(scoop));
  if (scoopDocument !== undefined) words.push(await readScoop(scoopDocument));
  const caskDocument = cask === undefined ? undefined : documents.get(toCaskAddress(cask));
  if (cask !== undefined && caskDocument !== undefined)
    words.push(await readCaskSource(caskDocument, cask));
  if (vendor !== undefined) {
    const releases = await readVendorDocuments(vendor, documents);
    if (releases !== null)
      words.push({ source: vendor.of === 'mozilla' ? 'Mozilla' : 'Google', ...releases });
  }
  if (entry !== undefined)
    words.push({ source: 'winget', name: entry.name, tags: entry.tags, version: entry.version });
  return words;
}

async function readWinget(
  id: string,
  documents: ReadonlyMap<string, Document>,
): Promise<SourceFacts[]> {
  const words: SourceFacts[] = [];
  for (const { document, version, kind } of findWingetDocuments(id, documents.values())) {
    const text = await document.text();
    convertErrors(document.url, () => {
      requireWingetManifest(text, id, version);
      const alone = kind === '.yaml' && readWingetDefaultLocale(text) === null;
      if (alone || kind.startsWith('.installer.')) words.push(readRelease(text));
      if (alone || kind.startsWith('.locale.')) words.push(readDescription(text));
    });
  }
  return words;
}

/** Finds the documents of a package, newest version first. `kind` is the file name after the identifier: '.installer.yaml'. */
function findWingetDocuments(id: string, documents: Iterable<Document>) {
  const folder = toWingetFolder(id);
  const found = [...documents].flatMap((document) => {
    const [version, file, ...deeper] = document.url.startsWith(folder)
      ? document.url.slice(folder.length).split('/')
      : [];
    if (version === undefined || file === undefined || deeper.length > 0) return [];
    return [
      {
        document,
        version: decodeURIComponent(version),
        kind: decodeURIComponent(file).slice(id.length),
      },
    ];
  });
  return found.toSorted(
    (a, b) =>
      compareVersions(b.version, a.version) ||
      (a.version === b.version ? 0 : a.version < b.version ? 1 : -1) ||
      (a.kind < b.kind ? -1 : 1),
  );
}

function readRelease(text: string): SourceFacts {
  const { version, releaseDate, installers, unfit } = readWingetInstallers(text);
  const packages = installers.map(
    (installer): ReleasePackage => ({
      ...installer,
      version,
      platform: 'WINDOWS',
      checksum: installer.sha256,
    }),
  );
  const unknownWords = findUnknownInstallerWords(installers);
  return {
    source: 'winget',
    version,
    releaseDate,
    packages: chooseOneLanguage(packages),
    unknownWords,
    remarks: unfit.map((path) => leftOut('winget', path)),
  };
}

function readDescription(text: string): SourceFacts {
  const {
    publisher: manufacturer,
    version: notesOf,
    unfit,
    ...words
  } = readWingetDescription(text);
  const remarks = unfit.map((path) => leftOut('winget', path));
  return { source: 'winget', manufacturer, notesOf, ...words, remarks };
}

const leftOut = (source: SourceName, what: string) =>
  `${source}'s ${what} has another form; left out`;

async function readScoop(document: Document): Promise<SourceFacts> {
  const text = await document.text();
  return convertErrors(document.url, () => {
    const { version, description, homepage, downloads, unknownArchitectures, unfit } =
      readScoopManifest(text);
    const packages = downloads.map(
      ({ architecture, url, hash }): ReleasePackage => ({
        version,
        platform: 'WINDOWS',
        architecture,
        minimumOsVersion: null,
        url,
        checksum: hash,
        type: /\.([a-z\d]{2,10})$/i.exec(url)?.[1]?.toLowerCase() ?? null,
        locale: null,
        scope: null,
      }),
    );
    const unknownWords = unknownArchitectures.map((word) => ({
      vocabulary: 'architecture',
      word,
      shownAs: null,
    }));
    const remarks = unfit.map((path) => leftOut('Scoop', path));
    return {
      source: 'Scoop',
      version,
      description,
      page: homepage,
      packages,
      unknownWords,
      remarks,
    };
  });
}

async function readCaskSource(document: Document, expected: string): Promise<SourceFacts> {
  const read = readCask(await parseJsonDocument(document));
  if (read.cask === null) throw new InvalidSource(document.url, invalidReason(read.error));
  const { token, version, name, description, homepage, packages, unfit } = read.cask;
  if (token !== null && token !== expected)
    throw new InvalidSource(document.url, `it is the cask ${token}, not ${expected}`);
  const remarks = unfit.map((path) => leftOut('Homebrew', path));
  return { source: 'Homebrew', version, name, description, page: homepage, packages, remarks };
}
