/** Groups the fixes of a CVE: each vendor's release with its first fix and the other records that name the CVE. */
import type { MatrixCell } from '@patch/contract/records/vulnerability-endpoint.ts';

export interface ReleaseFixes {
  readonly first: MatrixCell;
  /** Other records of the release, such as a security-only update beside a rollup, and later ones. */
  readonly others: readonly MatrixCell[];
}

/** Retains the order of the cells, in which the first fix of a release comes first. */
export function groupFixes(cells: readonly MatrixCell[]): readonly ReleaseFixes[] {
  const byRelease = Map.groupBy(cells, ({ vendor, list, release }) =>
    JSON.stringify([vendor, list, release]),
  );
  return [...byRelease.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others }],
  );
}
