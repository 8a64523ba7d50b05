/**
 * The binary packages of Debian's fixes. An advisory names source packages; which binary packages a release builds from one says the index
 * of the release's security suite, for the version of the source package that the archive holds at present.
 */
import type { Document, Publication, Remark } from '../../definition/feed.ts';
import { type AptSuite, openedSuite, suiteOrLast } from '../../parsers/apt-suite.ts';
import { detached } from '../../parsers/detached.ts';
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
  /** Where they are named, and how sure that is; null when there are none. */
  readonly packagesFrom: string | null;
}

export interface DebianBinaries {
  readonly remarks: readonly Remark[];
  of(pkgName: string, codename: string, version: string): FixPackages;
}

function suiteOf(codename: string): AptSuite {
  return { archive, suite: `${codename}-security`, architecture, pinnedKeys: debianSecurityKeys };
}

/** Of a package of the index, what a fix shows. */
type Built = Pick<BinaryPackage, 'name' | 'version' | 'architecture' | 'sourceVersion' | 'sha256'>;

/** The documents of the suites that are published or were, and what there is to say of each. */
export async function openBinaries(publication: Publication, codenames: readonly string[]) {
  const documents: Document[] = [];
  const remarks: Remark[] = [];
  const remember: Record<string, string> = {};
  for (const codename of codenames) {
    const opened = await suiteOrLast(publication, suiteOf(codename));
    documents.push(...opened.documents);
    remarks.push(
      ...opened.remarks.map(({ remark }) => ({
        kind: 'remark' as const,
        remark: `${codename}-security: ${remark}`,
      })),
    );
    Object.assign(remember, opened.remember);
    if (opened.lacking === null) continue;
    const what = `What the archive says of the binary packages of ${codename}`;
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

/** Of the documents of a part, those that `openBinaries` gave. */
export async function readBinaries(documents: readonly Document[]): Promise<DebianBinaries> {
  return readIndexes(documents.filter(({ url }) => url.startsWith(`${archive}/`)));
}

const readIndexes = readOnce(async (documents): Promise<DebianBinaries> => {
  const release = /\/dists\/([^/]+)-security\/InRelease$/;
  const codenames = documents.flatMap(({ url }) => release.exec(url)?.[1] ?? []);
  const known = new Map<string, Built[]>();
  const remarks: Remark[] = [];
  for (const codename of codenames) {
    const suite = suiteOf(codename);
    for (const index of openedSuite(documents, suite).indexes) {
      for await (const batch of binaryPackages(index)) {
        for (const of of batch) {
          if (of.kind === 'rejection')
            remarks.push({
              kind: 'remark',
              remark: `${of.url}: ${of.rejected} is left out: ${of.reason}.`,
            });
          else addTo(known, `${codename} ${of.source}`, of);
        }
      }
    }
  }
  return {
    remarks,
    of: (pkgName, codename, version) =>
      packagesOf(known.get(`${codename} ${pkgName}`) ?? [], codename, version),
  };
});

/** Without the text of the index, which they are pieces of. */
function addTo(
  known: Map<string, Built[]>,
  key: string,
  { name, version, architecture: of, sourceVersion, sha256 }: BinaryPackage,
): void {
  const built = detached({ name, version, architecture: of, sourceVersion, sha256 });
  const others = known.get(key);
  if (others === undefined) known.set(detached(key), [built]);
  else others.push(built);
}

/** Of the binary packages of one source package: those of that version, else those of the newest, which the archive holds in its place. */
function packagesOf(built: readonly Built[], codename: string, version: string): FixPackages {
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
    return { packages: inOrder(rows), packagesFrom: `${codename}-security` };
  }
  const newest = built
    .map(({ sourceVersion }) => sourceVersion)
    .toSorted(compareDpkgVersions)
    .at(-1);
  const rows = built
    .filter(({ name, sourceVersion }) => sourceVersion === newest && !isOfOneVersion(name))
    .map((of) => successor(of, version));
  if (rows.length === 0) return { packages: [], packagesFrom: null };
  return {
    packages: inOrder(rows),
    packagesFrom: `${codename}-security, which holds another version of the source package`,
  };
}

/** The same package of the fix's own version: a binary package has the version of its source package unless the archive shows another one. */
function successor(
  { name, version, sourceVersion, architecture: of }: Built,
  fixed: string,
): FixPackage {
  return {
    name,
    version: version === sourceVersion ? fixed : null,
    architecture: of,
    checksum: null,
  };
}

/** linux-image-6.1.0-21-amd64-unsigned, linux-headers-6.12.48+deb13-amd64: the name changes with nearly every version. */
function isOfOneVersion(name: string): boolean {
  return /-\d+\.\d+\.\d+[-+]/.test(name);
}

/** The same however the index is ordered; a package is in several components at times. */
function inOrder(rows: readonly FixPackage[]): FixPackage[] {
  const distinct = new Map(
    rows.map((row) => [[row.name, row.version, row.architecture, row.checksum].join(' '), row]),
  );
  return [...distinct].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
