/** What each source says of an application, in one form. */
import type { Document, UnknownWord } from '../../definition/feed.ts';
import { readScoopManifest } from '../../parsers/scoop-manifest.ts';
import {
  readWingetDefaultLocale,
  readWingetDescription,
  readWingetInstallers,
  requireWingetManifest,
} from '../../parsers/winget-manifest.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { invalidReason } from '../../values/vendor-words.ts';
import { readCask } from './homebrew-cask.ts';
import { InvalidSource, jsonOf, within } from './invalid-source.ts';
import { inOneLanguage, type ReleasePackage } from './release-package.ts';
import type { Application } from './thirdparty-applications.ts';
import { caskAddress, scoopAddress } from './thirdparty-documents.ts';
import { readVendorDocuments } from './vendor-documents.ts';
import { compareVersions } from './version-numbers.ts';
import { type WingetIndexEntry, wingetFolder } from './winget-addresses.ts';
import { unknownInstallerWords } from './winget-vocabulary.ts';

export type SourceName = 'winget' | 'Scoop' | 'Homebrew' | 'Mozilla' | 'Google';

/** What one document of a source says. */
export interface SourceWords {
  readonly source: SourceName;
  readonly name?: string | null;
  readonly manufacturer?: string | null;
  readonly description?: string | null;
  readonly page?: string | null;
  readonly tags?: readonly string[];
  readonly version?: string;
  readonly releaseDate?: number | null;
  readonly packages?: readonly ReleasePackage[];
  /** Of the release whose version is `notesOf`. */
  readonly notes?: string | null;
  readonly notesLink?: string | null;
  readonly notesOf?: string | null;
  readonly unknownWords?: readonly UnknownWord[];
  /** Parts of the document that have another form than its source's and were left out. */
  readonly remarks?: readonly string[];
}

/** Most telling first. Throws InvalidSource, and BrokenDocument on bytes that are no text: those were damaged on their way. */
export async function wordsOfSources(
  application: Application,
  entry: WingetIndexEntry | undefined,
  documents: ReadonlyMap<string, Document>,
): Promise<SourceWords[]> {
  const { scoop, cask, vendor } = application;
  const words = await wingetWords(application.id, documents);
  const ofScoop = scoop === undefined ? undefined : documents.get(scoopAddress(scoop));
  if (ofScoop !== undefined) words.push(await scoopWords(ofScoop));
  const ofCask = cask === undefined ? undefined : documents.get(caskAddress(cask));
  if (cask !== undefined && ofCask !== undefined) words.push(await caskWords(ofCask, cask));
  if (vendor !== undefined) {
    const releases = await readVendorDocuments(vendor, documents);
    if (releases !== null)
      words.push({ source: vendor.of === 'mozilla' ? 'Mozilla' : 'Google', ...releases });
  }
  if (entry !== undefined)
    words.push({ source: 'winget', name: entry.name, tags: entry.tags, version: entry.version });
  return words;
}

async function wingetWords(
  id: string,
  documents: ReadonlyMap<string, Document>,
): Promise<SourceWords[]> {
  const words: SourceWords[] = [];
  for (const { document, version, kind } of wingetDocuments(id, documents.values())) {
    const text = await document.text();
    within(document.url, () => {
      requireWingetManifest(text, id, version);
      const alone = kind === '.yaml' && readWingetDefaultLocale(text) === null;
      if (alone || kind.startsWith('.installer.')) words.push(releaseWords(text));
      if (alone || kind.startsWith('.locale.')) words.push(descriptionWords(text));
    });
  }
  return words;
}

/** Those of the newest version first. `kind` is what its name says behind the identifier: '.installer.yaml'. */
function wingetDocuments(id: string, documents: Iterable<Document>) {
  const folder = wingetFolder(id);
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
    (one, other) =>
      compareVersions(other.version, one.version) ||
      (one.version === other.version ? 0 : one.version < other.version ? 1 : -1) ||
      (one.kind < other.kind ? -1 : 1),
  );
}

function releaseWords(text: string): SourceWords {
  const { version, releaseDate, installers, unfit } = readWingetInstallers(text);
  const packages = installers.map(
    (installer): ReleasePackage => ({
      ...installer,
      version,
      platform: 'WINDOWS',
      checksum: installer.sha256,
    }),
  );
  const unknownWords = unknownInstallerWords(installers);
  return {
    source: 'winget',
    version,
    releaseDate: vendorDate(releaseDate),
    packages: inOneLanguage(packages),
    unknownWords,
    remarks: unfit.map((path) => leftOut('winget', path)),
  };
}

function descriptionWords(text: string): SourceWords {
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

async function scoopWords(document: Document): Promise<SourceWords> {
  const text = await document.text();
  return within(document.url, () => {
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

async function caskWords(document: Document, expected: string): Promise<SourceWords> {
  const read = readCask(await jsonOf(document));
  if (read.cask === null) throw new InvalidSource(document.url, invalidReason(read.error));
  const { token, version, name, description, homepage, packages, unfit } = read.cask;
  if (token !== null && token !== expected)
    throw new InvalidSource(document.url, `it is the cask ${token}, not ${expected}`);
  const remarks = unfit.map((path) => leftOut('Homebrew', path));
  return { source: 'Homebrew', version, name, description, page: homepage, packages, remarks };
}
