/**
 * Binary packages of Debian's fixes. An advisory names source packages; the index of the release's security suite states the binary
 * packages built from the version of the source package that the archive contains at present.
 */
import {
  createRemark,
  type Document,
  type Publication,
  type Remark,
} from '../../definition/feed.ts';
import { type AptSuite, openedSuite, suiteOrLast } from '../../parsers/apt-suite.ts';
import { detachText } from '../../parsers/detach-text.ts';
import { type BinaryPackage, binaryPackages } from '../../parsers/dpkg-packages.ts';
import { readOnce } from '../../parsers/read-once.ts';
import { compareDpkgVersions } from '../../schemas/dpkg-version.ts';
import { debianSecurityKeys } from './debian-archive-keys.ts';

const archive = 'http://security.debian.org/debian-security';
const architecture = 'amd64';

export interface FixPackage {
  readonly name: string;
  readonly version: string | null;
  readonly architecture: string;
  readonly checksum: string | null;
}

export interface FixPackages {
  readonly packages: readonly FixPackage[];
  /** Suite that lists the packages, and whether their version matches; null without packages. */
  readonly packagesFrom: string | null;
}

export interface DebianBinaries {
  readonly remarks: readonly Remark[];
  getFixPackages(pkgName: string, codename: string, version: string): FixPackages;
}

function toSuite(codename: string): AptSuite {
  return { archive, suite: `${codename}-security`, architecture, pinnedKeys: debianSecurityKeys };
}

/** Fields of an index's package that a fix shows. */
type IndexedPackage = Pick<
  BinaryPackage,
  'name' | 'version' | 'architecture' | 'sourceVersion' | 'sha256'
>;

/** Opens the published suites, or their last copies, with remarks on each. */
export async function openBinaries(publication: Publication, codenames: readonly string[]) {
  const documents: Document[] = [];
  const remarks: Remark[] = [];
  const remember: Record<string, string> = {};
  for (const codename of codenames) {
    const opened = await suiteOrLast(publication, toSuite(codename));
    documents.push(...opened.documents);
    remarks.push(
      ...opened.remarks.map(({ remark }) => createRemark(`${codename}-security: ${remark}`)),
    );
    Object.assign(remember, opened.remember);
    if (opened.lacking === null) continue;
    const what = `The index of the binary packages of ${codename}`;
    const state = opened.documents.length === 0 ? 'is missing' : 'is read from its last copy';
    const copies = opened.documents.map(({ url }) => url);
    remarks.push({
      kind: 'remark',
      remark: `${what} ${state}: ${opened.lacking}`,
      ...(copies.length > 0 && { copies }),
    });
  }
  return { documents, remarks, remember };
}

/** Reads the documents that `openBinaries` returned. */
export async function readBinaries(documents: readonly Document[]): Promise<DebianBinaries> {
  return readIndexes(documents.filter(({ url }) => url.startsWith(`${archive}/`)));
}

const readIndexes = readOnce(async (documents): Promise<DebianBinaries> => {
  const release = /\/dists\/([^/]+)-security\/InRelease$/;
  const codenames = documents.flatMap(({ url }) => release.exec(url)?.[1] ?? []);
  const known = new Map<string, IndexedPackage[]>();
  const remarks: Remark[] = [];
  for (const codename of codenames) {
    const suite = toSuite(codename);
    for (const index of openedSuite(documents, suite).indexes) {
      for await (const batch of binaryPackages(index)) {
        for (const of of batch) {
          if (of.kind === 'rejection')
            remarks.push(createRemark(`${of.url}: ${of.rejected} is left out: ${of.reason}.`));
          else addPackage(known, `${codename} ${of.source}`, of);
        }
      }
    }
  }
  return {
    remarks,
    getFixPackages: (pkgName, codename, version) =>
      findFixPackages(known.get(`${codename} ${pkgName}`) ?? [], codename, version),
  };
});

/** Copies the fields, so that they do not keep the index's text in memory. */
function addPackage(
  known: Map<string, IndexedPackage[]>,
  key: string,
  { name, version, architecture: of, sourceVersion, sha256 }: BinaryPackage,
): void {
  const built = detachText({ name, version, architecture: of, sourceVersion, sha256 });
  const others = known.get(key);
  if (others === undefined) known.set(detachText(key), [built]);
  else others.push(built);
}

/** Returns the binary packages of the fix's version, else of the newest version, which replaced it in the archive. */
function findFixPackages(
  built: readonly IndexedPackage[],
  codename: string,
  version: string,
): FixPackages {
  const own = built.filter(
    ({ sourceVersion }) => compareDpkgVersions(sourceVersion, version) === 0,
  );
  if (own.length > 0) {
    const rows = own.map((of) => ({
      name: of.name,
      version: of.version,
      architecture: of.architecture,
      checksum: of.sha256,
    }));
    return { packages: sortPackages(rows), packagesFrom: `${codename}-security` };
  }
  const newest = built
    .map(({ sourceVersion }) => sourceVersion)
    .toSorted(compareDpkgVersions)
    .at(-1);
  const rows = built
    .filter(({ name, sourceVersion }) => sourceVersion === newest && !hasVersionInName(name))
    .map((of) => toFixedVersion(of, version));
  if (rows.length === 0) return { packages: [], packagesFrom: null };
  return {
    packages: sortPackages(rows),
    packagesFrom: `${codename}-security, which holds another version of the source package`,
  };
}

/** Derives the package of the fix's version: binary packages share the source package's version unless the archive shows another. */
function toFixedVersion(
  { name, version, sourceVersion, architecture: of }: IndexedPackage,
  fixed: string,
): FixPackage {
  return {
    name,
    version: version === sourceVersion ? fixed : null,
    architecture: of,
    checksum: null,
  };
}

/** The name changes with nearly every version: linux-image-6.1.0-21-amd64-unsigned, linux-headers-6.12.48+deb13-amd64. */
function hasVersionInName(name: string): boolean {
  return /-\d+\.\d+\.\d+[-+]/.test(name);
}

/** Independent of the index's order; a package is sometimes in several components. */
function sortPackages(rows: readonly FixPackage[]): FixPackage[] {
  const distinct = new Map(
    rows.map((row) => [[row.name, row.version, row.architecture, row.checksum].join(' '), row]),
  );
  return [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
