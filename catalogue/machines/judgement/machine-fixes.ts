/** What the catalogue's records look like to a judgement, and what it answers: narrow types that the server fills from its tables. */

/** A record of a distribution with its fixes for one release: of a notice for several releases, only the rows of the machine's. */
export interface PackageRecord {
  /** Names the record to the caller; the judgement only hands it back. */
  readonly key: string;
  readonly fixes: readonly PackageFix[];
  /** The vendor took it back: it fixes nothing. */
  readonly retracted: boolean;
  /** A notice about live patches, whose numbers are no versions of packages. */
  readonly livepatch: boolean;
}

export interface PackageFix {
  /** `source`: the name and the version of a source package (Debian's advisories, source rows of Ubuntu's notices). */
  readonly by: 'binary' | 'source';
  readonly name: string;
  /** [epoch:]version-release of rpm, the whole version of dpkg. */
  readonly version: string;
  readonly architecture: string | null;
  /** `name:stream` with or without what follows, as the record names it; null where it names none. */
  readonly module: string | null;
  /** Of Ubuntu's archive: security, esm-infra; null where the notice does not say. */
  readonly pocket: string | null;
}

/** An update of one Windows product. */
export interface WindowsUpdate {
  readonly key: string;
  /** Digits. */
  readonly kb: string;
  /** The servicing line: Cumulative update, Monthly rollup, Servicing stack … */
  readonly line: string;
  /** Four numbers each; empty where no document states one. */
  readonly fixedBuilds: readonly string[];
  /** KBs that replace it, directly or through others, as far as documents say. */
  readonly supersededBy: readonly string[];
  /** Epoch milliseconds. */
  readonly releaseDate: number | null;
}

export interface MacRelease {
  readonly key: string;
  /** Null for an application, whose installed version the inventory does not show. */
  readonly version: string | null;
  readonly build: string | null;
}

export interface ApplicationRelease {
  readonly key: string;
  readonly name: string;
  /** As winget names it. */
  readonly identifier: string | null;
  readonly productCodes: readonly string[];
  readonly version: string | null;
}

/** Why a record cannot be decided. Each is a point of the rules in docs/decisions/046. */
export type UncertainReason =
  /** The record is for a module, and does not say which stream. */
  | 'recordWithoutStream'
  /** The package is of a module, and the inventory has no module labels. */
  | 'inventoryWithoutModules'
  /** No document states the build that the update brings. */
  | 'updateWithoutBuild'
  /** An installed KB that the catalogue does not have could hold it. */
  | 'unknownInstalledKb'
  /** The inventory names no source packages, and records name the package by its own name alone: others may name its source. */
  | 'sourceUnstated'
  /** The inventory does not say for which architecture the package was built, and the record's fixes differ by it. */
  | 'architectureUnstated'
  /** The inventory names neither the revision of the build nor an installed update. */
  | 'revisionUnstated'
  /** The inventory announces more hotfixes than it lists. */
  | 'unlistedHotfixes'
  /** The update is for machines that use Secure Boot or the like, which the inventory does not show. */
  | 'partNotShown'
  /** The inventory knows a bound of the version only: `> 153.0`. */
  | 'versionBound';

/** Why a record is left out of the answer. */
export type NotJudgedReason =
  | 'retracted'
  | 'livepatch'
  | 'hotpatch'
  /** .NET, Internet Explorer, applications of Apple: the inventory does not show whether they are there. */
  | 'componentNotShown'
  | 'versionsNotComparable'
  /** All builds that documents state for the update are of other releases of Windows. */
  | 'otherBranch';

export interface FixEvidence {
  readonly name: string;
  readonly architecture: string | null;
  readonly installed: string;
  /** Of the source package where the record names no binary ones. */
  readonly fixed: string;
  /** Versions of the source package, where the record names it: those of binary packages can be numbered otherwise. */
  readonly source?: { readonly installed: string; readonly fixed: string };
  /** What a package manager is to install; null on Windows and macOS. */
  readonly install: PackageToInstall | null;
}

export interface PackageToInstall {
  readonly name: string;
  /** Null where the record names the version of the source package only. */
  readonly version: string | null;
}

/** Says how a record stands to a machine; `Verdict` says it of each package, KB and application that was read. */
export type RecordVerdict =
  /** None of its packages is installed, or all of them are fixed. */
  | { readonly kind: 'notMissing' }
  | { readonly kind: 'missing'; readonly evidence: readonly FixEvidence[] }
  | { readonly kind: 'needsSubscription'; readonly evidence: readonly FixEvidence[] }
  | {
      readonly kind: 'uncertain';
      readonly reason: UncertainReason;
      readonly evidence: readonly FixEvidence[];
    }
  | { readonly kind: 'notJudged'; readonly reason: NotJudgedReason };
