/** Security content of releases as sources state it, and its join with the rows of the list. */
import { findCveIds } from '../../values/vendor-words.ts';
import { type ReleaseName, removeTrailingZeros, toReleaseKey } from './macos-release-name.ts';

export interface SecurityRelease {
  readonly name: ReleaseName;
  /** By CVE: whether it was exploited before the release. */
  readonly cves: ReadonlyMap<string, boolean>;
  /** Apple's page of the security content. */
  readonly page: string | null;
  readonly statedBy: string;
}

/** Security content of a row; empty when no source states it. */
interface SecurityContent {
  readonly cves: ReadonlyMap<string, boolean>;
  /** Null when unknown. */
  readonly exploited: boolean | null;
  readonly page: string | null;
  readonly statedBy: string | null;
}

const unknownContent: SecurityContent = {
  cves: new Map(),
  exploited: null,
  page: null,
  statedBy: null,
};

/** Collects the CVEs; other values are left out. */
export function collectCves(written: Iterable<readonly [unknown, boolean]>): Map<string, boolean> {
  const cves = new Map<string, boolean>();
  for (const [word, exploited] of written) {
    for (const cve of findCveIds([word])) cves.set(cve, exploited || cves.get(cve) === true);
  }
  return cves;
}

/** Finds the security content of rows. When two sources state a release, the first counts. */
export class SecurityReleases {
  readonly #releases = new Map<string, SecurityRelease[]>();
  readonly #builds: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #absent: ReadonlyMap<string, string>;
  readonly #missed = new Set<string>();

  /**
   * @param builds by plain version, as far as sources state them
   * @param absent pages that an index names but Apple does not serve, by release key
   */
  constructor(
    releases: Iterable<SecurityRelease>,
    builds: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
    absent: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#builds = builds;
    this.#absent = absent;
    for (const release of releases) {
      const key = toReleaseKey(release.name);
      this.#releases.set(key, [...(this.#releases.get(key) ?? []), release]);
    }
  }

  has(name: ReleaseName): boolean {
    return this.#find(name) !== undefined;
  }

  /** Finds content by version and build. Builds that cannot belong to the release, such as seeds, get none. */
  findContent(name: ReleaseName | null, build: string | null): SecurityContent {
    if (name === null || !this.#isBuildOfRelease(name, build)) return unknownContent;
    const release = this.#find(name);
    if (release === undefined) {
      const page = this.#absent.get(toReleaseKey(name));
      if (page !== undefined) this.#missed.add(page);
      return unknownContent;
    }
    const { cves, page, statedBy } = release;
    return { cves, exploited: [...cves.values()].includes(true), page, statedBy };
  }

  /** Missing pages of the releases that were requested. */
  get absentPages(): readonly string[] {
    return [...this.#missed];
  }

  /** A name with a system matches that system only. */
  #find(name: ReleaseName): SecurityRelease | undefined {
    const found = this.#releases.get(toReleaseKey(name)) ?? [];
    return found.find(
      ({ name: { major } }) => major === null || name.major === null || major === name.major,
    );
  }

  #isBuildOfRelease({ kind, version, extra }: ReleaseName, build: string | null): boolean {
    if (kind !== 'macOS' || extra !== null || build === null) return true;
    const known = this.#builds.get(removeTrailingZeros(version)) ?? new Set<string>();
    if (known.has(build)) return true;
    const train = parseTrain(build);
    return (
      train !== null &&
      (known.size === 0 || [...known].some((other) => parseTrain(other) === train))
    );
  }
}

/** Returns 25G for 25G83; null for a seed (25G5065a) and other words. Later models have their own build of the same train. */
function parseTrain(build: string): string | null {
  return /^(\d+[A-Z])\d+$/.exec(build)?.[1] ?? null;
}

/** Maps security content to fields of the row and the detail. Apple publishes no severity. */
export function toSecurityFields({ cves, exploited, page, statedBy }: SecurityContent) {
  return {
    row: { cve: [...cves.keys()], exploited },
    detail: {
      securityContent: page,
      securityStatedBy: statedBy,
      vulnerabilities: [...cves].map(([cve, wasExploited]) => ({ cve, exploited: wasExploited })),
    },
  };
}
