/** The versions of macOS that Apple supports, from its device management service: point updates since macOS 11 are in no catalogue. */
import { z } from 'zod';
import {
  type Document,
  type Entry,
  entry,
  type FeedItem,
  type Part,
  type PartManifest,
  type Publication,
  type Rejection,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { openMany } from '../../parsers/open-many.ts';
import { vendorDate } from '../../values/vendor-dates.ts';
import { distinctWords, invalidReason, wordOf } from '../../values/vendor-words.ts';
import { isMerged, openMerged } from './macos-catalogues.ts';
import { readDistribution } from './macos-distribution.ts';
import { macosList } from './macos-list.ts';
import { macosMajor } from './macos-majors.ts';
import { type Product, readProducts } from './macos-product.ts';
import { isInstaller } from './macos-product-entry.ts';
import type { ReleaseName } from './macos-release-name.ts';
import {
  absentPagesRemark,
  isSecurityDocument,
  readSecurity,
  securityDocuments,
} from './macos-security.ts';
import { securityFields } from './macos-security-fields.ts';
import type { SecurityReleases } from './macos-security-release.ts';
import { wantedDistributions } from './macos-software.ts';

const address = 'https://gdmf.apple.com/v2/pmv';

export const supportedVersionsPart: Part = {
  key: 'versions',
  label: 'Supported versions',
  contents: supportedContents,
  read: readSupported,
};

/** A version leaves the service when it expires: then it can be installed no longer, and its row is withdrawn. */
async function supportedContents(publication: Publication): Promise<PartManifest> {
  const last = await publication.readLast();
  const supported = await publication.open(address, {
    lastGoodCopy: true,
    maxBytes: 32 * 1024 ** 2,
  });
  const merged = await openMerged(publication, last);
  const wanted = wantedDistributions(await installersOf(merged));
  const distributions = await openMany(publication, wanted, last);
  const names = (await listedVersions(supported)).versions.values();
  const security = await securityDocuments(publication, last, [...names].map(releaseNameOf));
  return {
    documents: [supported, merged, ...distributions.values(), ...security.documents],
    whole: true,
    remarks: security.remarks,
    ...(security.standIn.length > 0 && { standIn: security.standIn }),
  };
}

async function installersOf(catalogue: Document): Promise<Product[]> {
  const installers: Product[] = [];
  for await (const read of readProducts(catalogue)) {
    if (read.kind === 'product' && isInstaller(read.product, null)) installers.push(read.product);
  }
  return installers;
}

async function* readSupported(contents: PartManifest): AsyncGenerator<FeedItem> {
  const { documents } = contents;
  const service = documents.find(({ url }) => url === address);
  if (service === undefined) throw new Error('There is no list of versions among the documents');
  const installed = await versionsOfInstallers(documents);
  const security = await readSecurity(contents);
  const { versions, rejections } = await listedVersions(service);
  yield* rejections;
  for (const [key, version] of versions) {
    if (!isInstalled(version, installed)) yield supportedEntry(key, version, security.releases);
  }
  for (const remark of [...security.remarks, ...absentPagesRemark(security.releases)])
    yield { kind: 'remark', remark };
}

interface ListedVersions {
  readonly versions: ReadonlyMap<string, SupportedVersion>;
  readonly rejections: readonly Rejection[];
}

/** By key. Throws BrokenDocument for what is no list of them, and for one that names none: Apple always supports some. */
async function listedVersions(service: Document): Promise<ListedVersions> {
  const versions = new Map<string, SupportedVersion>();
  const rejections: Rejection[] = [];
  for (const read of versionsIn(await setsOf(service))) {
    if (read.version === null) {
      rejections.push({
        kind: 'rejection',
        rejected: read.place,
        reason: read.reason,
        url: service.url,
      });
      continue;
    }
    const { version } = read;
    const key = keyOf(version);
    const before = versions.get(key);
    versions.set(key, before === undefined ? version : joined(before, version));
  }
  if (versions.size === 0) throw new BrokenDocument(service.url, 'it names no version of macOS');
  return { versions, rejections };
}

interface SupportedVersion {
  readonly version: string;
  /** '(a)', of a background security improvement. */
  readonly extra: string | null;
  readonly build: string;
  readonly posted: number | null;
  readonly devices: readonly string[];
}

/** The same version is in several sets, with the devices and the day of each: the first day counts. */
function joined(one: SupportedVersion, other: SupportedVersion): SupportedVersion {
  const days = [one.posted, other.posted].filter((day) => day !== null);
  return {
    ...one,
    posted: days.length === 0 ? null : Math.min(...days),
    devices: [...one.devices, ...other.devices],
  };
}

function keyOf({ version, extra, build }: SupportedVersion): string {
  return ['macOS', version + (extra ?? ''), build].join('-');
}

function releaseNameOf({ version, extra }: SupportedVersion): ReleaseName {
  return { kind: 'macOS', version, extra, supplemental: false, major: macosMajor(version) };
}

function supportedEntry(
  key: string,
  supportedVersion: SupportedVersion,
  releases: SecurityReleases,
): Entry {
  const { version, extra, build, posted, devices } = supportedVersion;
  const full = extra === null ? version : `${version} ${extra}`;
  const major = macosMajor(version);
  const { row, detail } = securityFields(
    releases.contentOf(releaseNameOf(supportedVersion), build),
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
      ...row,
    },
    {
      build,
      ...detail,
      description: supported.length === 0 ? null : `Supported devices: ${supported.join(', ')}.`,
      packages: [],
    },
  );
}

/** Where the catalogue has the installer, its product stands for the version. */
function isInstalled(
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

async function versionsOfInstallers(
  documents: readonly Document[],
): Promise<{ version: string; build: string | null }[]> {
  const versions = [];
  for (const document of documents) {
    if (document.url === address || isMerged(document.url) || isSecurityDocument(document.url))
      continue;
    const { version, build } = await readDistribution(document);
    if (version !== null) versions.push({ version, build });
  }
  return versions;
}

/** Of the platforms only this one is read. */
const setsForm = z.record(z.string(), z.object({ macOS: z.array(z.unknown()).optional() }));
type Sets = z.infer<typeof setsForm>;

async function setsOf(document: Document): Promise<Sets> {
  let answer: unknown;
  try {
    answer = JSON.parse(await document.text());
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new BrokenDocument(document.url, 'it is not valid JSON', { cause: error });
    throw error;
  }
  const sets = setsForm.safeParse(answer);
  if (!sets.success)
    throw new BrokenDocument(
      document.url,
      `it is no list of versions: ${invalidReason(sets.error)}`,
    );
  return sets.data;
}

const word = z
  .string()
  .transform(wordOf)
  .pipe(z.string({ error: 'it is missing' }));
const versionForm = z
  .object({
    ProductVersion: word,
    ProductVersionExtra: z.string().nullish(),
    Build: word,
    PostingDate: z
      .unknown()
      .refine((day) => !day || vendorDate(day) !== null, 'it is no day')
      .optional(),
    SupportedDevices: z.array(z.unknown()).nullish(),
  })
  .transform(
    (form): SupportedVersion => ({
      version: form.ProductVersion,
      extra: wordOf(form.ProductVersionExtra),
      build: form.Build,
      posted: vendorDate(form.PostingDate),
      devices: distinctWords(form.SupportedDevices ?? []),
    }),
  );

type VersionRead =
  | { readonly version: SupportedVersion }
  | { readonly version: null; readonly place: string; readonly reason: string };

/** Of macOS alone: a platform's list holds other devices too, that of iOS for one the televisions. */
function* versionsIn(sets: Sets): Generator<VersionRead> {
  for (const [set, platforms] of Object.entries(sets)) {
    for (const [place, record] of (platforms.macOS ?? []).entries()) {
      const form = versionForm.safeParse(record);
      if (form.success) yield { version: form.data };
      else
        yield {
          version: null,
          place: `${set}, macOS ${place + 1}`,
          reason: invalidReason(form.error),
        };
    }
  }
}
