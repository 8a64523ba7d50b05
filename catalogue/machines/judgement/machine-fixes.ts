/** Types of a judgement's input and output, which the server fills from its tables. */

/** A distribution's record with its fixes for one release; a notice for several releases is reduced to the rows of the machine's. */
export interface PackageRecord {
  /** Identifies the record to the caller; the judgement only returns it. */
  readonly key: string;
  readonly fixes: readonly PackageFix[];
  /** True when the vendor retracted the record, so that it fixes nothing. */
  readonly retracted: boolean;
  /** True for a notice about live patches, whose numbers are not package versions. */
  readonly livepatch: boolean;
}

export interface PackageFix {
  /** `source` when name and version are those of a source package (Debian's advisories, source rows of Ubuntu's notices). */
  readonly by: 'binary' | 'source';
  readonly name: string;
  /** [epoch:]version-release of rpm, the complete version of dpkg. */
  readonly version: string;
  readonly architecture: string | null;
  /** `name:stream` with or without further parts, as the record writes it; null when it states none. */
  readonly module: string | null;
  /** Pocket of Ubuntu's archive: security, esm-infra; null when the notice does not state it. */
  readonly pocket: string | null;
}

/** An update of one Windows product. */
export interface WindowsUpdate {
  readonly key: string;
  /** Digits only. */
  readonly kb: string;
  /** The servicing line: Cumulative update, Monthly rollup, Servicing stack … */
  readonly line: string;
  /** Four numbers each; empty when no document states one. */
  readonly fixedBuilds: readonly string[];
  /** KBs that replace it, directly or through others, as far as documents state it. */
  readonly supersededBy: readonly string[];
  /** Epoch milliseconds. */
  readonly releaseDate: number | null;
}

export interface MacRelease {
  readonly key: string;
  /** Null for an application, whose installed version the inventory does not show. */
  readonly version: string | null;
  readonly build: string | null;
  /** An update of the version, which it does not change. */
  readonly isSecurityUpdate?: true;
}

export interface ApplicationRelease {
  readonly key: string;
  readonly name: string;
  /** winget's identifier. */
  readonly identifier: string | null;
  readonly productCodes: readonly string[];
  readonly version: string | null;
}

/** Why a record cannot be decided. Each reason follows a rule of docs/decisions/046. */
export type UncertainReason =
  /** The record is for a module but does not state its stream. */
  | 'recordWithoutStream'
  /** The package belongs to a module, but the inventory has no module labels. */
  | 'inventoryWithoutModules'
  /** No document states the update's build. */
  | 'updateWithoutBuild'
  /** An installed KB that the catalogue does not have could include it. */
  | 'unknownInstalledKb'
  /** The inventory states no source packages, and records list the package only by its own name: others may list its source. */
  | 'sourceUnstated'
  /** The inventory does not state the package's architecture, and the record's fixes differ by it. */
  | 'architectureUnstated'
  /** The inventory states neither the revision of the build nor an installed update. */
  | 'revisionUnstated'
  /** The inventory announces more hotfixes than it lists. */
  | 'unlistedHotfixes'
  /** The update is for machines that use Secure Boot or similar parts, which the inventory does not show. */
  | 'partNotShown'
  /** The inventory states only a bound of the version: `> 153.0`. */
  | 'versionBound';

/** Why a record is not judged. */
export type NotJudgedReason =
  | 'retracted'
  | 'livepatch'
  | 'hotpatch'
  /** .NET, Internet Explorer, Apple's applications: the inventory does not show whether they are installed. */
  | 'componentNotShown'
  | 'versionsNotComparable'
  /** All stated builds of the update belong to other releases of Windows. */
  | 'otherBranch';

export interface FixEvidence {
  readonly name: string;
  readonly architecture: string | null;
  readonly installed: string;
  /** The source package's version when the record lists no binary packages. */
  readonly fixed: string;
  /** Versions of the source package, when the record lists it: binary packages may be numbered differently. */
  readonly source?: { readonly installed: string; readonly fixed: string };
  /** The package to install; null on Windows and macOS. */
  readonly install: PackageToInstall | null;
}

export interface PackageToInstall {
  readonly name: string;
  /** Null when the record states only the version of the source package. */
  readonly version: string | null;
}

/** The verdict on a record for one machine; `Verdict` is the verdict on each package, KB and application that was read. */
export type RecordVerdict =
  /** None of its packages is installed, or all are fixed. */
  | { readonly kind: 'notMissing' }
  | { readonly kind: 'missing'; readonly evidence: readonly FixEvidence[] }
  | { readonly kind: 'needsSubscription'; readonly evidence: readonly FixEvidence[] }
  | {
      readonly kind: 'uncertain';
      readonly reason: UncertainReason;
      readonly evidence: readonly FixEvidence[];
    }
  | { readonly kind: 'notJudged'; readonly reason: NotJudgedReason };

/** The verdict on a record that is, or may be, missing. */
export type LackingVerdict = Extract<RecordVerdict, { readonly evidence: unknown }>;
