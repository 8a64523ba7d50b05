/** What a source states of the security content of one release, and the join of releases with the rows of the list. */
import { cveIdOf } from '../../values/vendor-words.ts';
import { plainVersion, type ReleaseName, releaseKey } from './macos-release-name.ts';

export interface SecurityRelease {
  readonly name: ReleaseName;
  /** Each once; true where it was exploited before the release. */
  readonly cves: ReadonlyMap<string, boolean>;
  /** Apple's page of the security content. */
  readonly page: string | null;
  readonly statedBy: string;
}

/** What the list says of a row's security content; nothing where no source states it. */
export interface SecurityContent {
  readonly cves: ReadonlyMap<string, boolean>;
  /** Null where it is not known. */
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

/** What is written of CVEs may be anything: what is none is left out. */
export function cvesOf(written: Iterable<readonly [unknown, boolean]>): Map<string, boolean> {
  const cves = new Map<string, boolean>();
  for (const [word, exploited] of written) {
    const cve = cveIdOf(word);
    if (cve !== null) cves.set(cve, exploited || cves.get(cve) === true);
  }
  return cves;
}

/** The rows' side of the join: of two sources that state a release the first counts. */
export class SecurityReleases {
  readonly #releases = new Map<string, SecurityRelease[]>();
  readonly #builds: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #absent: ReadonlyMap<string, string>;
  readonly #missed = new Set<string>();

  /**
   * `builds` by plain version, as far as a source tells them; `absent` by the key of a release, the pages that are named and not there.
   */
  constructor(
    releases: Iterable<SecurityRelease>,
    builds: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
    absent: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#builds = builds;
    this.#absent = absent;
    for (const release of releases) {
      const key = releaseKey(release.name);
      this.#releases.set(key, [...(this.#releases.get(key) ?? []), release]);
    }
  }

  has(name: ReleaseName): boolean {
    return this.#find(name) !== undefined;
  }

  /** By version and build. A build that cannot belong to the release, such as a seed, gets none of its content. */
  contentOf(name: ReleaseName | null, build: string | null): SecurityContent {
    if (name === null || !this.#isBuildOf(name, build)) return unknownContent;
    const release = this.#find(name);
    if (release === undefined) {
      const page = this.#absent.get(releaseKey(name));
      if (page !== undefined) this.#missed.add(page);
      return unknownContent;
    }
    const { cves, page, statedBy } = release;
    return { cves, exploited: [...cves.values()].includes(true), page, statedBy };
  }

  /** Those of the releases that were asked for. */
  get absentPages(): readonly string[] {
    return [...this.#missed];
  }

  /** A name that tells its system is of that system alone. */
  #find(name: ReleaseName): SecurityRelease | undefined {
    const found = this.#releases.get(releaseKey(name)) ?? [];
    return found.find(
      ({ name: { major } }) => major === null || name.major === null || major === name.major,
    );
  }

  #isBuildOf({ kind, version, extra }: ReleaseName, build: string | null): boolean {
    if (kind !== 'macOS' || extra !== null || build === null) return true;
    const known = this.#builds.get(plainVersion(version)) ?? new Set<string>();
    if (known.has(build)) return true;
    const train = trainOf(build);
    return (
      train !== null && (known.size === 0 || [...known].some((other) => trainOf(other) === train))
    );
  }
}

/** 25G of 25G83; null for a seed (25G5065a) and what is no build. Models that come out later have a build of their own of one train. */
function trainOf(build: string): string | null {
  return /^(\d+[A-Z])\d+$/.exec(build)?.[1] ?? null;
}
