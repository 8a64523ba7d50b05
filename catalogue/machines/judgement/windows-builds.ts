/** Parses builds of Windows and decides which revisions can be compared. */

/** Releases that share their update packages and revisions: a document may state the build of a sibling. */
const serviced: readonly (readonly string[])[] = [
  ['10.0.18362', '10.0.18363'],
  ['10.0.19041', '10.0.19042', '10.0.19043', '10.0.19044', '10.0.19045'],
  ['10.0.22621', '10.0.22631'],
  ['10.0.26100', '10.0.26200'],
];

export interface WindowsBuild {
  /** The release, or the first of the releases that share its updates: 10.0.17763. */
  readonly branch: string;
  /** Null when only the release is known, as systeminfo prints it. */
  readonly revision: number | null;
}

/** Returns null for an invalid build. Documents write `0.0.26200.4652` for a build of 10.0. */
export function windowsBuild(text: string | null): WindowsBuild | null {
  const [, written, revision] =
    /^(\d{1,2}\.\d{1,2}\.\d{4,6})(?:\.(\d{1,6}))?$/.exec(text ?? '') ?? [];
  if (written === undefined) return null;
  const release = written.replace(/^0\.0\.(?=\d{5})/, '10.0.');
  const branch = serviced.find((releases) => releases.includes(release))?.[0] ?? release;
  return { branch, revision: revision === undefined ? null : Number(revision) };
}

/** Returns the highest revision that an update installs on the branch; null when it states none. */
export function revisionOn(branch: string, builds: readonly string[]): number | null {
  const revisions = builds
    .map(windowsBuild)
    .filter((build) => build?.branch === branch)
    .map((build) => build?.revision ?? null)
    .filter((revision) => revision !== null);
  return revisions.length === 0 ? null : Math.max(...revisions);
}
