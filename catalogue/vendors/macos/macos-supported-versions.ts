/** Part with the versions of macOS that Apple's device management service lists: no catalogue has the point updates since macOS 11. */
import { z } from 'zod';
import {
  createRejection,
  createRemark,
  type Document,
  type Entry,
  entry,
  type FeedItem,
  type Part,
  type PartManifest,
  type Publication,
  type Rejection,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { openMany } from '../../parsers/open-documents.ts';
import { isPublicationFailure } from '../../parsers/publication-failure.ts';
import { readJsonDocument } from '../../parsers/read-json-document.ts';
import { findUnreadableDate, vendorDate } from '../../values/vendor-dates.ts';
import { requiredText } from '../../values/vendor-forms.ts';
import { distinctWords, invalidReason, toWord } from '../../values/vendor-words.ts';
import { isMergedCatalogue, openMerged } from './macos-catalogues.ts';
import { readDistribution } from './macos-distribution.ts';
import { macosList } from './macos-list.ts';
import { type Product, readProducts } from './macos-product.ts';
import { isInstaller } from './macos-product-entry.ts';
import { parseMacosMajor, type ReleaseName } from './macos-release-name.ts';
import {
  createAbsentPagesRemarks,
  isSecurityDocument,
  openSecurityDocuments,
  readSecurity,
} from './macos-security.ts';
import { type SecurityReleases, toSecurityFields } from './macos-security-release.ts';
import { listWantedDistributions } from './macos-software.ts';

const address = 'https://gdmf.apple.com/v2/pmv';

export const supportedVersionsPart: Part = {
  key: 'versions',
  label: 'Supported versions',
  contents: openSupported,
  read: readSupported,
};

/** The service drops expired versions, which cannot be installed any more: their rows are withdrawn. */
async function openSupported(publication: Publication): Promise<PartManifest> {
  const last = await publication.readLast();
  const supported = await publication.open(address, {
    lastGoodCopy: true,
    readThrough: async (document) => void (await readVersions(document)),
    maxBytes: 32 * 1024 ** 2,
  });
  // Versions do not wait for a catalogue that is not there now: its last copy knows the installers.
  const merged = await openMerged(publication, last).catch((error: unknown) => {
    const copy = last.find(({ url }) => isMergedCatalogue(url));
    if (copy === undefined || !isPublicationFailure(error)) throw error;
    return copy;
  });
  const wanted = listWantedDistributions(await listInstallers(merged));
  const distributions = await openMany(publication, wanted, last);
  const names = (await readVersions(supported)).versions.values();
  const security = await openSecurityDocuments(publication, last, [...names].map(toReleaseName));
  return {
    documents: [supported, merged, ...distributions.values(), ...security.documents],
    isComplete: true,
    remarks: security.remarks,
    ...(security.standIn.length > 0 && { standIn: security.standIn }),
  };
}

async function listInstallers(catalogue: Document): Promise<Product[]> {
  const installers: Product[] = [];
  for await (const read of readProducts(catalogue)) {
    if (read.kind === 'product' && isInstaller(read.product, null)) installers.push(read.product);
  }
  return installers;
}

async function* readSupported(contents: PartManifest): AsyncGenerator<FeedItem> {
  const { documents } = contents;
  const service = documents.find(({ url }) => url === address);
  if (service === undefined) throw new Error('No list of versions is among the documents');
  const installed = await readInstallerVersions(documents);
  const security = await readSecurity(contents);
  const { versions, rejections } = await readVersions(service);
  yield* rejections;
  for (const [key, version] of versions) {
    if (!hasInstaller(version, installed)) yield toSupportedEntry(key, version, security.releases);
  }
  for (const remark of [...security.remarks, ...createAbsentPagesRemarks(security.releases)])
    yield createRemark(remark);
}

/**
 * Reads the versions by key.
 * @throws BrokenDocument for another document and for a list without a version: Apple always supports some
 */
async function readVersions(service: Document) {
  const versions = new Map<string, SupportedVersion>();
  const rejections: Rejection[] = [];
  const sets = await readJsonDocument(service, setsForm, 'a list of versions');
  for (const read of readSetVersions(sets)) {
    if (read.version === null) {
      rejections.push(createRejection(read.position, read.reason, service.url));
      continue;
    }
    const { version } = read;
    const key = toKey(version);
    const before = versions.get(key);
    versions.set(key, before === undefined ? version : mergeVersions(before, version));
  }
  if (versions.size === 0) throw new BrokenDocument(service.url, 'it names no version of macOS');
  return { versions, rejections };
}

interface SupportedVersion {
  readonly version: string;
  /** '(a)' of a background security improvement. */
  readonly extra: string | null;
  readonly build: string;
  readonly posted: number | null;
  readonly devices: readonly string[];
}

/** Merges a version of several sets, each with its devices and day: the first day counts. */
function mergeVersions(a: SupportedVersion, b: SupportedVersion): SupportedVersion {
  const days = [a.posted, b.posted].filter((day) => day !== null);
  return {
    ...a,
    posted: days.length === 0 ? null : Math.min(...days),
    devices: [...a.devices, ...b.devices],
  };
}

function toKey({ version, extra, build }: SupportedVersion): string {
  return ['macOS', version + (extra ?? ''), build].join('-');
}

function toReleaseName({ version, extra }: SupportedVersion): ReleaseName {
  return { kind: 'macOS', version, extra, supplemental: false, major: parseMacosMajor(version) };
}

function toSupportedEntry(
  key: string,
  supportedVersion: SupportedVersion,
  releases: SecurityReleases,
): Entry {
  const { version, extra, build, posted, devices } = supportedVersion;
  const full = extra === null ? version : `${version} ${extra}`;
  const major = parseMacosMajor(version);
  const { row, detail } = toSecurityFields(
    releases.findContent(toReleaseName(supportedVersion), build),
  );
  const supported = distinctWords(devices).toSorted((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  );
  return entry(
    macosList,
    key,
    {
      productKey: key,
      title: `macOS ${full}`,
      releaseDate: posted,
      osVersion: major === null ? [] : [major],
      version: full,
      build,
      ...row,
    },
    {
      ...detail,
      description: supported.length === 0 ? null : `Supported devices: ${supported.join(', ')}.`,
      packages: [],
    },
  );
}

/** Tells whether a product of the catalogue represents the version. */
function hasInstaller(
  { version, extra, build }: SupportedVersion,
  installed: readonly { version: string; build: string | null }[],
): boolean {
  return (
    extra === null &&
    installed.some(
      (other) => other.version === version && (other.build === null || other.build === build),
    )
  );
}

async function readInstallerVersions(
  documents: readonly Document[],
): Promise<{ version: string; build: string | null }[]> {
  const versions = [];
  for (const document of documents) {
    if (
      document.url === address ||
      isMergedCatalogue(document.url) ||
      isSecurityDocument(document.url)
    )
      continue;
    const { version, build } = await readDistribution(document);
    if (version !== null) versions.push({ version, build });
  }
  return versions;
}

/** Only the platform macOS is read. */
const setsForm = z.record(z.string(), z.object({ macOS: z.array(z.unknown()).optional() }));
type Sets = z.infer<typeof setsForm>;

const versionForm = z
  .object({
    ProductVersion: requiredText,
    ProductVersionExtra: z.string().nullish(),
    Build: requiredText,
    PostingDate: z
      .unknown()
      .refine((day) => findUnreadableDate(day) === null, 'it is not a day')
      .optional(),
    SupportedDevices: z.array(z.unknown()).nullish(),
  })
  .transform(
    (form): SupportedVersion => ({
      version: form.ProductVersion,
      extra: toWord(form.ProductVersionExtra),
      build: form.Build,
      posted: vendorDate(form.PostingDate),
      devices: distinctWords(form.SupportedDevices ?? []),
    }),
  );

type VersionRead =
  | { readonly version: SupportedVersion }
  | { readonly version: null; readonly position: string; readonly reason: string };

/** Reads macOS only: other platforms' lists also contain other devices (iOS those of televisions). */
function* readSetVersions(sets: Sets): Generator<VersionRead> {
  for (const [set, platforms] of Object.entries(sets)) {
    for (const [index, record] of (platforms.macOS ?? []).entries()) {
      const form = versionForm.safeParse(record);
      if (form.success) yield { version: form.data };
      else
        yield {
          version: null,
          position: `${set}, macOS ${index + 1}`,
          reason: invalidReason(form.error),
        };
    }
  }
}
